/**
 * A tool for the AI SDK with which a model searches a project. Structural: pass in the SDK's own `jsonSchema`, and nothing
 * else of it is needed.
 */
import type { Client } from "./client.ts";
import type { Query } from "./wire.ts";

export interface SearchInput {
  readonly question: string;
}

/** What the model reads of an answer. */
export interface SearchOutput {
  readonly summary: string;
  readonly passages: readonly { readonly text: string; readonly document: string | undefined }[];
  /** "Wanda BERTHED_AT Orrin" */
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
 * @param input.jsonSchema `jsonSchema` of the package `ai`
 * @param input.description what is in the project, so that the model knows when to ask
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
