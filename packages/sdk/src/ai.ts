/**
 * A tool for the AI SDK (6 or later) with which a model searches a project. This package does not depend on the AI SDK:
 * the types match structurally.
 */
import type { Client } from "./client.ts";
import { resultsOf } from "./expected.ts";
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

/** A Standard Schema (https://standardschema.dev) with its JSON Schema, as the AI SDK reads it. */
export interface SearchInputSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(
      input: unknown,
    ): { readonly value: SearchInput } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: { input(): Record<string, unknown>; output(): Record<string, unknown> };
  };
}

/** A new object for each call, because the AI SDK writes into it. */
const describeInput = () => ({
  type: "object",
  properties: {
    question: {
      type: "string",
      description: "A whole question in natural language, with the names it is about",
    },
  },
  required: ["question"],
  additionalProperties: false,
});

const INPUT_SCHEMA: SearchInputSchema = {
  "~standard": {
    version: 1,
    vendor: "kcs",
    validate: (input) =>
      typeof input === "object" && input !== null && "question" in input && typeof input.question === "string"
        ? { value: { question: input.question } }
        : { issues: [{ message: "expected an object with a text `question`" }] },
    jsonSchema: { input: describeInput, output: describeInput },
  },
};

/** @param input.description what the project contains, so that the model knows when to search it */
export function createSearchTool(input: {
  readonly client: Pick<Client, "query">;
  readonly projectId: string;
  readonly description?: string | undefined;
  /** 1 to 100. Default: 6 */
  readonly topK?: number | undefined;
  /** How many passages of one document may be among them, 1 to 100. Default: any number */
  readonly maxPerDocument?: number | undefined;
  readonly mode?: Query["mode"];
  readonly filter?: Query["filter"];
}) {
  const { client, projectId, topK = 6, maxPerDocument, mode, filter } = input;
  return {
    description:
      input.description ?? "Searches the knowledge base and returns passages, facts and a summary.",
    inputSchema: INPUT_SCHEMA,
    async execute(
      { question }: SearchInput,
      options: { readonly abortSignal?: AbortSignal | undefined } = {},
    ): Promise<SearchOutput> {
      const body: Query = {
        query: question,
        mode,
        top_k: topK,
        max_per_document: maxPerDocument,
        include: ["provenance"],
        filter,
      };
      const results = resultsOf(await client.query(projectId, body, { signal: options.abortSignal }));
      return {
        summary: results.summary,
        passages: results.chunks.map(({ text, source_doc_id }) => ({ text, document: source_doc_id })),
        facts: results.relationships.map(({ source, type, target }) => `${source} ${type} ${target}`),
      };
    },
  };
}
