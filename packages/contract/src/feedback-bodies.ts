import { z } from "zod";
import { expecting, integerParameter, nameField, optional } from "./fields.ts";
import { choiceParameter } from "./list-parameters.ts";

export const FEEDBACK_LIMITS = {
  queryCharacters: 8_192,
  answerCharacters: 32_768,
  strategyCharacters: 200,
  documents: 100,
  documentIdCharacters: 512,
  commentCharacters: 4_000,
  page: { min: 1, max: 100, fallback: 50 },
} as const;

const limits = FEEDBACK_LIMITS;

/** A text that may be empty. NUL, which no database column of text can have, is left out. */
function anyText(max: number) {
  const expected = `a string of at most ${max} characters`;
  return z
    .string(expecting(expected))
    .max(max, { error: (issue) => `has ${String(issue.input).length} characters, expected ${expected}` })
    .transform((text) => text.toWellFormed().replaceAll("\0", ""));
}

export const feedbackBody = z.object(
  {
    rating: z.enum(["up", "down"], expecting('"up" or "down"')),
    query: nameField(limits.queryCharacters),
    mode: z
      .enum(["static", "dynamic"], expecting('"static" or "dynamic"'))
      .nullish()
      .transform((value) => value ?? "static"),
    answer: anyText(limits.answerCharacters),
    strategy_used: anyText(limits.strategyCharacters)
      .nullish()
      .transform((value) => value ?? ""),
    source_doc_ids: z
      .array(nameField(limits.documentIdCharacters), expecting("an array of ids of documents"))
      .max(limits.documents, { error: `has too many items, expected at most ${limits.documents}` })
      .nullish()
      .transform((value) => value ?? []),
    comment: optional(anyText(limits.commentCharacters)).transform((value) => value || null),
  },
  expecting("a JSON object"),
);

export const feedbackListParameters = z.object({
  rating: choiceParameter(["up", "down"], null),
  format: choiceParameter(["json", "jsonl"], "json"),
  limit: integerParameter(limits.page),
  offset: integerParameter({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
});
