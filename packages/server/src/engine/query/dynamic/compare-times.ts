/** Answers questions that compare two things by a time, from sentences that state the year of each. */
import { setImmediate } from "node:timers/promises";
import type { ComposedSummary, RankedChunk } from "../../../domain/query.ts";
import type { Comparison } from "./comparison.ts";
import { agreeing, type DatedThing, type Stated, statementsIn } from "./find-year.ts";
import { keyOf } from "./read-step.ts";
import { findOwner } from "./stated-owner.ts";
import type { Step, StepQuestion, StepRunner } from "./steps.ts";
import { type Compared, verdictOf } from "./verdict.ts";

const STEP_CHUNKS = 5;
/** Bounds the time that reading takes. */
const MAX_READ_CHUNKS = 40;

/**
 * The verdict, and below it the sentences with the two years. null where one of the years is not stated, where two sentences state it differently,
 * where both are the same, and where the names differ only in what tells things of one name apart: passages about the other one would be read.
 */
export async function compareTimes(
  comparison: Comparison,
  runner: StepRunner,
  weights: { readonly inner: number; readonly outer: number },
): Promise<ComposedSummary | null> {
  if (keyOf(comparison.names[0]) === keyOf(comparison.names[1])) return null;
  const compared = await findOwners(comparison, runner, weights.inner);
  if (compared === null) return null;
  const asked = compared.map(({ name, owner }) => ({
    query: comparison.askTime(owner?.name ?? name),
    weight: owner === null ? weights.inner : weights.outer,
    about: owner,
  }));
  if ((await runEach(asked, runner)) === null) return null;
  const [ours, others] = [nameOfEvent(compared[0]), nameOfEvent(compared[1])];
  const found = distinctChunks(runner.taken);
  const one = await findYearInTurns(found, { name: ours, event: comparison.event });
  if (one === null) return null;
  const other = await findYearInTurns(found, { name: others, event: comparison.event });
  if (other === null) return null;
  const dated = [
    { ...compared[0], stated: one },
    { ...compared[1], stated: other },
  ] as const;
  return verdictOf(comparison, dated);
}

/** A passage at a time: this is the main thread. */
async function findYearInTurns(chunks: readonly RankedChunk[], thing: DatedThing): Promise<Stated | null> {
  const stated: Stated[] = [];
  for (const chunk of chunks) {
    stated.push(...statementsIn(chunk, thing));
    await setImmediate();
  }
  return agreeing(stated);
}

/** What the time is of. */
function nameOfEvent({ name, owner }: Compared): string {
  return owner?.name ?? name;
}

/** Those of the last steps, which asked for the years, first. */
function distinctChunks(steps: readonly Step[]): readonly RankedChunk[] {
  const chunks = steps.toReversed().flatMap(({ answer }) => answer.chunks);
  const distinct = new Map(chunks.map((chunk) => [`${chunk.versionId}/${chunk.position}`, chunk]));
  return [...distinct.values()].slice(0, MAX_READ_CHUNKS);
}

/** "The director of A" and of B, where the question asks for their times. */
async function findOwners(
  { names, titles, role }: Comparison,
  runner: StepRunner,
  weight: number,
): Promise<readonly [Compared, Compared] | null> {
  const [one, other] = names;
  if (role === null)
    return [
      { name: one, owner: null },
      { name: other, owner: null },
    ];
  const asked = names.map((name) => ({ query: `Who is the ${role} of ${name}?`, weight, about: null }));
  const steps = await runEach(asked, runner);
  if (steps === null) return null;
  const ours = await findOwner(steps[0].answer.chunks, { name: one, title: titles[0], role });
  const others =
    ours === null ? null : await findOwner(steps[1].answer.chunks, { name: other, title: titles[1], role });
  if (ours === null || others === null) return null;
  return [
    { name: one, owner: ours },
    { name: other, owner: others },
  ];
}

/** null where one of the two steps could not be taken. */
async function runEach(
  questions: readonly StepQuestion[],
  runner: StepRunner,
): Promise<readonly [Step, Step] | null> {
  const [one, other] = await runner.run(questions, STEP_CHUNKS);
  return one === undefined || other === undefined ? null : [one, other];
}
