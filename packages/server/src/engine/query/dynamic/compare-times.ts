/** Answers questions that compare two things by a time, from the years in passages about each. */
import type { FollowedName, PassageRead } from "../../../domain/query.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import { type Comparison, yearOf } from "./comparison.ts";
import { keyOf, nameOf, readStep, type StepAnswer } from "./read-step.ts";
import type { Step, StepQuestion, StepRunner } from "./steps.ts";

const STEP_CHUNKS = 5;
const MAX_QUOTED_UNITS = 420;

export interface ComparedTimes {
  /** The verdict, and below it the sentences with the two years. */
  readonly summary: string;
  /** What the reader made of the passages of these steps. */
  readonly read: readonly PassageRead[];
}

/** One of the two things. */
interface Compared {
  readonly name: string;
  /** Whom or what the time belongs to, where that is not the thing itself. */
  readonly owner: FollowedName | null;
}

/**
 * null where one of the years is not found, where both are the same, and where the names differ only in what tells things of one name
 * apart: passages about the other one would be read.
 */
export async function compareTimes(
  comparison: Comparison,
  runner: StepRunner,
  weights: { readonly inner: number; readonly outer: number },
): Promise<ComparedTimes | null> {
  if (keyOf(comparison.names[0]) === keyOf(comparison.names[1])) return null;
  const compared = await findOwners(comparison, runner, weights.inner);
  if (compared === null) return null;
  const asked = compared.map(({ name, owner }) => ({
    query: comparison.askTime(owner?.name ?? name),
    weight: owner === null ? weights.inner : weights.outer,
    about: owner,
  }));
  const steps = await runEach(asked, runner);
  if (steps === null) return null;
  const read = async (at: 0 | 1) => {
    const { name, owner } = compared[at];
    return readStep(steps[at], runner, owner?.key ?? keyOf(name));
  };
  const [one, other] = [await read(0), await read(1)];
  const yearIn = (answer: StepAnswer | null, at: 0 | 1) =>
    answer === null || !isAbout(answer, compared[at]) ? null : yearOf(answer.from.sentence, comparison.event);
  const years = [yearIn(one.answer, 0), yearIn(other.answer, 1)] as const;
  if (one.answer === null || other.answer === null || years[0] === null || years[1] === null) return null;
  if (years[0] === years[1]) return null;
  const isFirst = years[0] > years[1] === comparison.isLater;
  const [asserted, against] = isFirst ? years : [years[1], years[0]];
  const { name, owner } = isFirst ? compared[0] : compared[1];
  const whose = owner === null ? "" : `, whose ${comparison.role} ${owner.name}`;
  const verdict = `${name}${whose} ${comparison.verdict}: ${asserted} against ${against}.`;
  return {
    summary: [verdict, quote(one.answer), quote(other.answer)].join("\n"),
    read: [...one.read, ...other.read],
  };
}

/** Not "the husband of A died" or "A's brother was born". */
function isAbout({ from }: StepAnswer, { name, owner }: Compared): boolean {
  const key = owner?.key ?? keyOf(name);
  const sentence = ` ${normalizeName(from.sentence)} `;
  return ![`of ${key} `, `of the ${key} `, `${key} s `].some((other) => sentence.includes(` ${other}`));
}

/** "The director of A" and of B, where the question asks for their times. */
async function findOwners(
  { names, role }: Comparison,
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
  const ownerOf = async (at: 0 | 1) => nameOf(await readStep(steps[at], runner, keyOf(names[at])));
  const owners = [await ownerOf(0), await ownerOf(1)] as const;
  if (owners[0] === null || owners[1] === null) return null;
  return [
    { name: one, owner: owners[0] },
    { name: other, owner: owners[1] },
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

function quote({ from: { sentence } }: StepAnswer): string {
  const line = sentence.replace(/\s+/g, " ").trim();
  return line.length <= MAX_QUOTED_UNITS ? line : `${line.slice(0, MAX_QUOTED_UNITS).toWellFormed()} …`;
}
