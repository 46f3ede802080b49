/** Answers a question about something that it only describes: first what is described, then the question about that. */
import type { NestedQuestion } from "./nested-question.ts";
import { keyOf, nameOf, readStep, type StepRead } from "./read-step.ts";
import type { StepRunner } from "./steps.ts";

const STEP_CHUNKS = 5;

/**
 * What the reader made of the passages of the second step; null where it found no answer to the first. `weights` of the chunks that the two steps
 * find.
 */
export async function followNested(
  { inner, name, role, outer }: NestedQuestion,
  runner: StepRunner,
  weights: { readonly inner: number; readonly outer: number },
): Promise<StepRead | null> {
  const [first] = await runner.run([{ query: inner, weight: weights.inner, about: null }], STEP_CHUNKS);
  const described =
    first === undefined ? null : nameOf(await readStep(first, runner, { name: keyOf(name), role }));
  if (described === null) return null;
  const query = outer(described.name);
  const [second] = await runner.run([{ query, weight: weights.outer, about: described }], STEP_CHUNKS);
  return second === undefined ? null : readStep(second, runner, { name: described.key });
}
