/** Answers a question about something that it only describes: first what is described, then the question about that. */
import type { ComposedSummary, FollowedName, PassageRead } from "../../../domain/query.ts";
import { fullNameFinder } from "../../text/names/normal-form.ts";
import { judge } from "../judge-answer.ts";
import { statedName } from "../stated-by-people.ts";
import { withoutAside } from "./comparison.ts";
import { type NestedQuestion, splitNested } from "./nested-question.ts";
import { keyOf, nameOf, readStep, type StepAnswer } from "./read-step.ts";
import { findOwner } from "./stated-owner.ts";
import { relevantChunks, type Step, type StepRunner } from "./steps.ts";

const STEP_CHUNKS = 5;
const SUMMARY_CHUNKS = 3;

/** "the birthplace of the author of the book that …" */
const MAX_DEPTH = 3;

/** Of the chunks that the steps for a description, and for the question about it, find. */
interface StepWeights {
  readonly inner: number;
  readonly outer: number;
}

export interface NestedAnswer {
  /** What the reader made of the passages of the second step. */
  readonly read: readonly PassageRead[];
  /** null where the reader is not sure of one. */
  readonly answer: StepAnswer | null;
  /** What passages say is said of others alone. */
  readonly isOfOthers: boolean;
  /** Of the passages about what is described. It denies an answer only where a sentence states what is described; null where they do not answer. */
  readonly summary: ComposedSummary | null;
  /** That both steps are right, 0…1. */
  readonly probability: number;
}

/** null where nothing was found for the description. */
export async function followNested(
  nested: NestedQuestion,
  runner: StepRunner,
  { weights, depth = 1 }: { readonly weights: StepWeights; readonly depth?: number },
): Promise<NestedAnswer | null> {
  const [first] = await runner.run(
    [{ query: nested.inner, weight: weights.inner, about: null }],
    STEP_CHUNKS,
  );
  const described = first === undefined ? null : await describe(first, nested, runner);
  if (described === null) return null;
  const { name, likelihood } = described;
  const query = nested.outer(name.name);
  const further = depth < MAX_DEPTH ? splitNested(query) : null;
  const deeper = further === null ? null : await followNested(further, runner, { weights, depth: depth + 1 });
  if (deeper !== null) return { ...deeper, probability: deeper.probability * likelihood };
  const about = name.from === null ? null : { ...name, from: name.from };
  const [second] = await runner.run([{ query, weight: weights.outer, about }], STEP_CHUNKS);
  if (second === undefined) return null;
  const { read, answer, isOfOthers } = await readStep(second, runner, { name: name.key });
  const chunks = relevantChunks(second).slice(0, SUMMARY_CHUNKS);
  const judgement = judge(read, chunks);
  const reading = answer === null ? (judgement?.reading ?? null) : { answer: answer.from, isComplete: false };
  const composed =
    isOfOthers || chunks.length === 0 ? null : await runner.passages.compose({ chunks, reading }, query);
  const isUsable = composed !== null && composed.text !== "" && (!composed.isDenied || likelihood === 1);
  const summary = isUsable ? composed : null;
  return {
    read,
    answer,
    isOfOthers,
    summary: summary && about !== null ? withSentence(summary, about.from) : summary,
    probability: (judgement?.probability ?? 0) * likelihood,
  };
}

interface Described {
  /** `from` is null where a person has stated it in the graph. */
  readonly name: Pick<FollowedName, "name" | "key"> & { readonly from: FollowedName["from"] | null };
  /** How likely it is what the question describes, 0…1. */
  readonly likelihood: number;
}

/** By what a person has stated, else by a sentence that says it in a plain form, else by what the reader takes for it. */
async function describe(
  step: Step,
  { inner, names, role }: NestedQuestion,
  runner: StepRunner,
): Promise<Described | null> {
  const { chunks, relationships } = step.answer;
  const stated = statedName({ query: inner, asOf: runner.asOf }, relationships);
  if (stated !== null) return { name: { name: stated, key: keyOf(stated), from: null }, likelihood: 1 };
  const hasName = fullNameFinder(chunks.map(({ header = "", text }) => `${header}\n${text}`).join("\n"));
  const name = names.find((each) => hasName(keyOf(each)));
  if (name === undefined) return null;
  const owner = await findOwner(chunks, { name: withoutAside(name), title: name, role });
  if (owner !== null) return { name: owner, likelihood: 1 };
  const read = await readStep(step, runner, { name: keyOf(name), role });
  const found = nameOf(read);
  return found === null ? null : { name: found, likelihood: judge(read.read, chunks)?.probability ?? 0 };
}

/** What led to the passages is quoted last, on a line of its own: it is of another passage. A row of a table would lack its columns. */
function withSentence(
  summary: ComposedSummary,
  { sentence, versionId, position, sourceDocId, start }: FollowedName["from"],
): ComposedSummary {
  if (summary.text.includes(sentence) || sentence.startsWith("|")) return summary;
  const quote = { versionId, position, sourceDocId, start };
  return { ...summary, text: `${summary.text}\n${sentence}`, quotes: [...summary.quotes, quote] };
}
