/** What is said above the sentences of an answer: by the page, by its copy as Markdown and to screen readers. */
import type { QueryChunk } from "@kcs/sdk";
import { type AnswerRead, unsaidStatement } from "./read-answer.ts";

export interface AnswerHead {
  /** What a person has rejected of what the sentences state. */
  readonly rejected: readonly string[];
  /** Of sentences that answer: the name that the page gives the answer, unless `isNamed`. Of others: that they do not, and why. */
  readonly heading: string;
  readonly reason: string;
  /** Sentences that answer, for which the heading is a label. */
  readonly isPlain: boolean;
  /** The heading only names the answer. */
  readonly isNamed: boolean;
  /** The sentences do not answer: they are shown when somebody asks for them. */
  readonly isFolded: boolean;
}

export const rejectedWords = "You rejected this. The documents still say it.";

const perhaps = "Perhaps the answer";

const headings = {
  none: "No answer found",
  unsure: "Not sure: what comes nearest",
  unknown: "Not sure: what comes nearest",
  empty: "Nothing found",
  perhaps,
  found: "",
} as const;

/** `title`: how the page calls the answer. `unsaid`: what the question asks for and nothing mentions. */
export function answerHead(
  { kind, statement, text, isStated }: Pick<AnswerRead, "kind" | "statement" | "text" | "isStated">,
  {
    title,
    question,
    chunks,
    unsaid,
    rejected,
  }: {
    readonly title: string;
    readonly question: string;
    readonly chunks: readonly QueryChunk[];
    readonly unsaid: readonly string[];
    readonly rejected: readonly string[];
  },
): AnswerHead {
  const isPlain = (kind === "found" || kind === "perhaps") && unsaid.length === 0;
  const common = { rejected, isPlain, isFolded: kind === "none" };
  if (isPlain) {
    const heading =
      rejected.length > 0 && isStated !== true
        ? "What the documents say"
        : kind === "perhaps"
          ? perhaps
          : title;
    return { ...common, heading, reason: "", isNamed: heading === title };
  }
  return { ...common, ...wordsOf({ kind, statement, text }, unsaid, { question, chunks }), isNamed: false };
}

/** What is said instead of an answer; of a thing that the question asks for and nothing mentions, this first. */
function wordsOf(
  { kind, statement, text }: Pick<AnswerRead, "kind" | "statement" | "text">,
  unsaid: readonly string[],
  { question, chunks }: { readonly question: string; readonly chunks: readonly QueryChunk[] },
): { readonly heading: string; readonly reason: string } {
  if (unsaid.length > 0) {
    const near =
      kind === "unsure" ? "What comes nearest:" : "What comes nearest may be a part of the answer:";
    return { heading: unsaidStatement(unsaid, question, { chunks, quoted: text }), reason: near };
  }
  const empty = "No document has anything about it: add documents, or ask without a filter.";
  return { heading: headings[kind], reason: kind === "empty" ? empty : statement };
}

/** For screen readers, which are told of an answer when it comes. */
export function spokenAnswer(head: AnswerHead, text: string): string {
  const { rejected, heading, reason, isNamed, isFolded } = head;
  const sentences = [
    ...(rejected.length > 0 ? [rejectedWords, ...rejected] : []),
    ...(isNamed ? [] : [heading]),
    reason,
    isFolded ? "" : text,
  ];
  return sentences
    .filter((each) => each !== "")
    .map((each) => (/[.:!?]$/.test(each) ? each : `${each}.`))
    .join(" ");
}
