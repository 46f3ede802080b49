/**
 * A retriever for LangChain. This package does not depend on LangChain: the types match structurally wherever LangChain
 * accepts a function or an object with `invoke`.
 */
import type { Client } from "./client.ts";
import { resultsOf } from "./expected.ts";
import type { Query, QueryChunk } from "./wire.ts";

/** LangChain's `Document`. */
export interface RetrievedDocument {
  readonly pageContent: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

/** A text, or the output of a prompt template (a `PromptValue`): the text of its last message is the question. */
export type Question = string | { toChatMessages(): readonly { readonly text: string }[] };

export interface RetrieverOptions {
  readonly client: Pick<Client, "query">;
  readonly projectId: string;
  /** 1 to 100. Default: 10 */
  readonly topK?: number | undefined;
  /** How many passages of one document may be among them, 1 to 100. Default: any number */
  readonly maxPerDocument?: number | undefined;
  readonly mode?: "static" | "dynamic" | undefined;
  readonly filter?: Query["filter"];
}

/** The part of LangChain's `RunnableConfig` that the retriever uses. */
export interface CallConfig {
  readonly signal?: AbortSignal | undefined;
}

/** Can be called, piped into a chain (`prompt.pipe(retriever)`), or used as an object with `invoke`. */
export interface Retriever {
  (question: Question, config?: CallConfig): Promise<RetrievedDocument[]>;
  invoke(question: Question, config?: CallConfig): Promise<RetrievedDocument[]>;
  /** Runs all questions in parallel; the results have the order of the questions. */
  batch(questions: readonly Question[], config?: CallConfig): Promise<RetrievedDocument[][]>;
}

/**
 * Retrieves the passages of a project for a question, best first. `metadata` has `similarity`, `source_doc_id`, `start`
 * and `end`; `id` is the id of the chunk.
 */
export function createRetriever({
  client,
  projectId,
  topK = 10,
  maxPerDocument,
  mode = "static",
  filter,
}: RetrieverOptions): Retriever {
  const retrieve: Retriever["invoke"] = async (question, config) => {
    const body: Query = {
      query: textOf(question),
      mode,
      top_k: topK,
      max_per_document: maxPerDocument,
      include: ["provenance"],
      filter,
    };
    const { chunks } = resultsOf(await client.query(projectId, body, { signal: config?.signal }));
    return chunks.map(documentOf);
  };
  return Object.assign((...input: Parameters<typeof retrieve>) => retrieve(...input), {
    invoke: retrieve,
    batch: (questions: readonly Question[], config?: CallConfig) =>
      Promise.all(questions.map((question) => retrieve(question, config))),
  });
}

function textOf(question: Question): string {
  return typeof question === "string" ? question : (question.toChatMessages().at(-1)?.text ?? "");
}

function documentOf({ text, chunk_id, ...metadata }: QueryChunk): RetrievedDocument {
  return { pageContent: text, metadata, ...(chunk_id !== undefined && { id: chunk_id }) };
}
