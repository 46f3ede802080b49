/** For tests: a static answerer over a few texts, and a language model with scripted replies. */
import type { Answer, Question, RankedChunk } from "../../../domain/query.ts";
import type { Answerer, PassageReader } from "../../../ports/answerer.ts";
import {
  type LanguageModel,
  ModelError,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
} from "../../../ports/language-model.ts";
import { queryTerms } from "../../text/terms.ts";
import { quotedSentences } from "../quoted-places.ts";
import { summarize } from "../summarize.ts";
import { findBridgeNames } from "./bridge-names.ts";

export interface TestAnswerer extends Answerer {
  readonly questions: Question[];
}

/** As a query thread, but for the model that reads: it had nothing to read. */
export const readNothing: PassageReader = {
  read: async () => [],
  async compose({ query }, passages) {
    const { text, isDenied, quoted } = summarize({ query, ...passages });
    return { text, isDenied, quotes: quotedSentences(passages.chunks, quoted) };
  },
  place: async () => [],
  findNames: async (_question, { query, chunks, limit }) => findBridgeNames(query, chunks, limit),
};

/** Ranks by the share of the question's terms in a text. Each text is a document, named by its first line. */
export function createTestAnswerer(texts: readonly string[]): TestAnswerer {
  const questions: Question[] = [];
  return {
    questions,
    async answer(question): Promise<Answer | null> {
      questions.push(question);
      if (question.projectId === "gone") return null;
      const terms = new Set(queryTerms(question.query));
      const chunks = texts
        .map((text, at): RankedChunk => {
          const own = new Set(queryTerms(text));
          const common = [...terms].filter((term) => own.has(term)).length;
          const similarity = common / Math.max(1, terms.size);
          const place = { versionId: at + 1, position: 0, sourceDocId: text.split("\n")[0] ?? "" };
          return { ...place, text, start: 0, end: text.length, similarity };
        })
        .filter(({ similarity }) => similarity > 0)
        .sort((one, other) => other.similarity - one.similarity)
        .slice(0, question.topK);
      const entities = chunks
        .slice(0, 2)
        .map((chunk) => ({ type: "Thing", name: chunk.sourceDocId, properties: {} }));
      return { strategyUsed: "hybrid", summary: chunks[0]?.text ?? "", entities, relationships: [], chunks };
    },
    ...readNothing,
  };
}

export interface TestModel extends LanguageModel {
  readonly requests: ModelRequest[];
}

/** The reply's value or text, or the way in which the call fails. */
export type TestReply =
  | { readonly value: unknown }
  | { readonly text: string }
  | { readonly fails: ModelFailure };

export function createTestModel(script: (request: ModelRequest, place: number) => TestReply): TestModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    nameOf: () => "test/model",
    async generate(request): Promise<ModelReply> {
      requests.push(request);
      const reply = script(request, requests.length);
      if ("fails" in reply) throw new ModelError(reply.fails, "The language model did not answer.");
      const value = "value" in reply ? reply.value : null;
      const text = "text" in reply ? reply.text : JSON.stringify(value);
      return { text, value, isCached: false, repairs: 0, inputTokens: 100, outputTokens: 10 };
    },
  };
}
