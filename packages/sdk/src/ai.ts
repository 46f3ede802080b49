/**
 * A tool for the AI SDK with which a model searches a project. This package does not depend on the AI SDK: the caller
 * passes in its `jsonSchema` function, and the types match structurally.
 */
import type { Client } from "./client.ts";
import type { Query } from "./wire.ts";

export interface SearchInput {
  readonly question: string;
}

/** The part of a query result that the model reads. */
export interface SearchOutput {
  readonly summary: string;
  readonly passages: readonly { readonly text: string; readonly document: string | undefined }[];
  /** One text per relationship, such as "Wanda BERTHED_AT Orrin". */
  readonly facts: readonly string[];
}

const INPUT_SCHEMA = {
  type: "object",
  properties: {
    question: {
      type: "string",
      description: "A whole question in natural language, with the names it is about",
    },
  },
  required: ["question"],
  additionalProperties: false,
} as const;

/**
 * @param input.jsonSchema the function `jsonSchema` of the package `ai`
 * @param input.description what the project contains, so that the model knows when to search it
 */
export function createSearchTool<Schema>(input: {
  readonly client: Pick<Client, "query">;
  readonly projectId: string;
  readonly jsonSchema: (schema: typeof INPUT_SCHEMA) => Schema;
  readonly description?: string | undefined;
  /** 1 to 100. Default: 6 */
  readonly topK?: number | undefined;
  readonly mode?: Query["mode"];
  readonly filter?: Query["filter"];
}) {
  const { client, projectId, topK = 6, mode, filter } = input;
  return {
    description:
      input.description ?? "Searches the knowledge base and returns passages, facts and a summary.",
    inputSchema: input.jsonSchema(INPUT_SCHEMA),
    async execute(
      { question }: SearchInput,
      options: { readonly abortSignal?: AbortSignal | undefined } = {},
    ): Promise<SearchOutput> {
      const body: Query = { query: question, mode, top_k: topK, include: ["provenance"], filter };
      const { results } = await client.query(projectId, body, { signal: options.abortSignal });
      return {
        summary: results.summary,
        passages: results.chunks.map(({ text, source_doc_id }) => ({ text, document: source_doc_id })),
        facts: results.relationships.map(({ source, type, target }) => `${source} ${type} ${target}`),
      };
    },
  };
}
