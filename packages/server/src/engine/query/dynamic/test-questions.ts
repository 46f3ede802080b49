/** For tests: a few texts, a question that needs two of them, and how it is asked. */
import type { AnswerReader, Question } from "../../../domain/query.ts";
import type { Answerer } from "../../../ports/answerer.ts";
import type { LanguageModel } from "../../../ports/language-model.ts";
import type { RemoteReranker } from "../../../ports/reranker.ts";
import { answerDynamically } from "./answer-dynamically.ts";
import type { TestReply } from "./test-answerer.ts";

export const TEXTS = [
  "Larkspur Mill\nLarkspur Mill is a weaving mill that was founded by Odile Brandt in 1871.",
  "Odile Brandt\nOdile Brandt kept bees. She was born in Kestrel Bay.",
  "Kestrel Bay\nKestrel Bay is a harbour with a market of fish and rope.",
  "Ebbford Tower\nEbbford Tower was built in 1790 by Maud Pell.",
  "Rope walks\nRope was founded on hemp, and born of long sheds.",
  "Bakeries\nBread was sold where the founder of a guild of bakers was born.",
];

export function ask(query: string, members: Partial<Question> = {}): Question {
  return {
    projectId: "prj",
    accountId: "acc",
    query,
    mode: "dynamic",
    topK: 3,
    filter: null,
    ...members,
  };
}

export function answer(
  question: Question,
  deps: {
    answerer: Answerer;
    model?: LanguageModel | "over_token_limit";
    reranker?: RemoteReranker;
    cites?: boolean;
    now?: () => number;
    signal?: AbortSignal;
    reader?: AnswerReader;
  },
) {
  return answerDynamically(question, {
    answerer: deps.answerer,
    model: deps.model ?? "none",
    reranker: deps.reranker ?? null,
    now: deps.now ?? (() => 0),
    cites: deps.cites ?? false,
    signal: deps.signal ?? null,
    reader: deps.reader ?? null,
  });
}

export const HOP = "Where was the founder of Larkspur Mill born?";

export const PLAN: TestReply = { value: { kind: "multi_hop", searches: ["founder of Larkspur Mill"] } };
export const ENOUGH: TestReply = { value: { useful: [1], enough: true, searches: [] } };
