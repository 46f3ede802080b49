/** Answers questions that compare two things by a time, from sentences that state the year of each. */
import type { FollowedName } from "../../../domain/query.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import { sentences } from "../../text/sentences.ts";
import type { Comparison } from "./comparison.ts";
import { keyOf, nameOf, readStep } from "./read-step.ts";
import { statedYear, type TimedEvent } from "./stated-year.ts";
import type { Step, StepQuestion, StepRunner } from "./steps.ts";

const STEP_CHUNKS = 5;
const MAX_QUOTED_UNITS = 420;
/** Lower than where a passage rather answers than not: the sentence must have the name and the role as well. */
const LEAST_OF_OWNER = -2;
/** Or is told of one thing once: a film that is shown again is no other release. */
const HAPPENS_ONCE: ReadonlySet<string> = new Set(["born", "released", "published"]);
const YEAR = /(?<!\p{N})[12]\d{3}(?!\p{N})/gu;
/** "director", "directed" */
const STEM_UNITS = 5;

/** One of the two things. */
interface Compared {
  readonly name: string;
  /** Whom or what the time belongs to, where that is not the thing itself. */
  readonly owner: FollowedName | null;
}

interface Stated {
  readonly year: number;
  readonly sentence: string;
}

/**
 * The verdict, and below it the sentences with the two years. null where one of the years is not stated, where passages state several for one thing, where
 * both are the same, and where the names differ only in what tells things of one name apart: passages about the other one would be read.
 */
export async function compareTimes(
  comparison: Comparison,
  runner: StepRunner,
  weights: { readonly inner: number; readonly outer: number },
): Promise<string | null> {
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
  const stated = ([0, 1] as const).map((at) =>
    findYear(steps[at], compared[at].owner?.name ?? compared[at].name, comparison.event),
  );
  const [one = null, other = null] = stated;
  if (one === null || other === null || one.year === other.year) return null;
  const isFirst = one.year > other.year === comparison.isLater;
  const [asserted, against] = isFirst ? [one, other] : [other, one];
  const { name, owner } = isFirst ? compared[0] : compared[1];
  const whose = owner === null ? "" : `, whose ${comparison.role} ${owner.name}`;
  // A reader can tell what the sentences leave open: another person of the name, a year in a novel.
  const verdict = `Going by these sentences, ${name}${whose} ${comparison.verdict}: ${asserted.year} against ${against.year}.`;
  return [verdict, quote(one), quote(other)].join("\n");
}

/** null where the passages of the step state no year, or several. */
function findYear({ answer }: Step, name: string, event: TimedEvent): Stated | null {
  const found = answer.chunks.flatMap(({ text }) => {
    const stated = [...sentences(text)].flatMap(({ start, end }) => {
      const sentence = text.slice(start, end);
      const before = textBefore(text.slice(0, start), name);
      const isTitled = before === "title";
      const year = before === "unfinished" ? null : statedYear({ text: sentence, isTitled }, name, event);
      return year === null ? [] : [{ year, sentence }];
    });
    return stated.flatMap((one) => [
      one,
      ...yearsBeside(text, event).map((year) => ({ year, sentence: one.sentence })),
    ]);
  });
  return new Set(found.map(({ year }) => year)).size === 1 ? (found[0] ?? null) : null;
}

/** What may happen again, a passage may tell several times: "It was rebuilt again in 1950." */
function yearsBeside(text: string, event: TimedEvent): readonly number[] {
  if (event === "died" || event.some((participle) => HAPPENS_ONCE.has(participle))) return [];
  return [...sentences(text)]
    .map(({ start, end }) => text.slice(start, end))
    .filter((sentence) => sentence.split(/[^\p{L}]+/u).some((word) => event.includes(word)))
    .flatMap((sentence) => sentence.match(YEAR) ?? [])
    .map(Number);
}

/** A line of hard-wrapped text may begin in the middle of a sentence. */
function textBefore(before: string, name: string): "title" | "finished" | "unfinished" {
  const text = before.trimEnd();
  if (text !== "" && keyOf(text.slice(text.lastIndexOf("\n") + 1)) === keyOf(name)) return "title";
  const isFinished =
    text === "" || /[.!?…:;)"”]$/u.test(text) || /\n\s{0,10}\n/u.test(before.slice(text.length));
  return isFinished ? "finished" : "unfinished";
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
  const ownerOf = async (at: 0 | 1) => {
    const name = keyOf(names[at]);
    const found = await readStep(steps[at], runner, { name, least: LEAST_OF_OWNER });
    const owner = nameOf(found);
    return owner !== null && tellsRole(owner, { name, role }) ? owner : null;
  };
  const owners = [await ownerOf(0), await ownerOf(1)] as const;
  if (owners[0] === null || owners[1] === null) return null;
  return [
    { name: one, owner: owners[0] },
    { name: other, owner: owners[1] },
  ];
}

/** "Grey Sheds is a film directed by Ida Vell", "the director Ida Vell", "the director of Grey Sheds is Ida Vell". */
function tellsRole(
  { key, from }: FollowedName,
  { name, role }: { readonly name: string; readonly role: string },
): boolean {
  const text = ` ${normalizeName(from.sentence)} `;
  const stem = role.split(" ").at(-1)?.slice(0, STEM_UNITS) ?? role;
  const before = [` by ${key} `, ` ${key} `].map((part) =>
    text
      .slice(0, Math.max(0, text.indexOf(part)))
      .split(" ")
      .at(-1),
  );
  if (["is", "was"].some((verb) => text.includes(` ${role} of ${name} ${verb} ${key} `))) return true;
  return text.includes(` ${name} `) && before.some((word) => word?.startsWith(stem) === true);
}

/** null where one of the two steps could not be taken. */
async function runEach(
  questions: readonly StepQuestion[],
  runner: StepRunner,
): Promise<readonly [Step, Step] | null> {
  const [one, other] = await runner.run(questions, STEP_CHUNKS);
  return one === undefined || other === undefined ? null : [one, other];
}

function quote({ sentence }: Stated): string {
  const line = sentence.replace(/\s+/g, " ").trim();
  return line.length <= MAX_QUOTED_UNITS ? line : `${line.slice(0, MAX_QUOTED_UNITS).toWellFormed()} …`;
}
