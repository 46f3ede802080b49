/** Names relationships by the verbs that state them, where no ontology names them: one name for one meaning. */

import type { TaggedToken } from "../statements/tagged-token.ts";
import { isFormOfBe } from "../statements/tagged-token.ts";
import data from "./relationship-names.json" with { type: "json" };

export interface RelationshipName {
  /** In capitals, words joined by underscores. */
  readonly type: string;
  /** The statement's object is the relationship's source: "X wrote Y" is Y WRITTEN_BY X. */
  readonly isInverse: boolean;
  /** The same as the words say it, from subject to object: "headquartered in", "writes". */
  readonly asWritten: string;
  /** The verb says too little where no ontology has a name for it: "makes". */
  readonly isVague?: true;
}

/** They say too little: who has, does or uses what. */
export const vagueVerbs: ReadonlySet<string> = new Set(data.vagueVerbs.split(" "));
const particles = new Set("up over out away off down".split(" "));
const prepositions = new Set(
  "in at on for of to with by from into near under after against through between within as about over".split(
    " ",
  ),
);
/** "one of", "a number of", "a kind of": the noun says nothing. */
const emptyNouns = new Set(data.emptyNouns.split(" "));

/** The frame of a statement with the tokens of its verb; null where it says too little for a relationship in any ontology. */
export function nameOfFrame(frame: string, verb: readonly TaggedToken[]): RelationshipName | null {
  const own = nameByRule(frame, verb);
  const known = knownFrames.get(frame);
  return known === undefined ? own : { ...known, asWritten: own?.asWritten ?? frame };
}

function nameByRule(frame: string, verb: readonly TaggedToken[]): RelationshipName | null {
  const words = frame.split(" ");
  const last = words.at(-1) ?? "";
  const preposition = words.length > 1 && prepositions.has(last) ? last : "";
  const lemmas = preposition === "" ? words : words.slice(0, -1);
  if (lemmas[0] === "be") return nameOfPassive(lemmas.slice(1), { preposition, verb });
  const [lemma, particle, ...more] = lemmas;
  if (lemma === undefined || more.length > 0 || !/^\p{L}{3,}$/u.test(lemma)) return null;
  if (particle !== undefined && !particles.has(particle)) return null;
  const name = named([thirdPerson(lemma), particle, preposition]);
  return vagueVerbs.has(lemma) ? { ...name, isVague: true } : name;
}

function nameOfPassive(
  lemmas: readonly string[],
  { preposition, verb }: { readonly preposition: string; readonly verb: readonly TaggedToken[] },
): RelationshipName | null {
  const [lemma, ...more] = lemmas;
  if (lemma === undefined || more.length > 0 || preposition === "") return null;
  const participle = verb.findLast((token) => token.lemma === lemma && !isFormOfBe(token));
  return participle === undefined || !/^\p{L}{3,}$/u.test(participle.lower)
    ? null
    : { ...named([participle.lower, preposition]), ...(vagueVerbs.has(lemma) ? { isVague: true } : {}) };
}

/** "capital of" in "is the capital of X"; null where the noun says nothing. Both in small letters, the noun as its lemma. */
export function nameOfNoun(noun: string, preposition: string): RelationshipName | null {
  const known = knownNouns.get(`${noun} ${preposition}`);
  if (known !== undefined) return { ...known, asWritten: `${noun} ${preposition}` };
  if (!/^(?:of|in|at|for)$/.test(preposition) || emptyNouns.has(noun) || !/^\p{L}{3,}$/u.test(noun))
    return null;
  // "a film in Norway": only what is of somebody, or a place in another, is more than an aside.
  return preposition === "of" ? named([noun, preposition]) : null;
}

const makingOfNoun: ReadonlyMap<string, string> = new Map(
  Object.entries(data.makings).flatMap(([frame, nouns]) =>
    nouns.split(" ").map((noun) => [noun, frame] as const),
  ),
);

/** What "a novel by X" says that X did; null for what is no work of one kind. */
export function nameOfWorkBy(noun: string): RelationshipName | null {
  const frame = makingOfNoun.get(noun);
  const known = frame === undefined ? undefined : knownFrames.get(frame);
  return known === undefined ? null : { ...known, asWritten: `${noun} by` };
}

function named(words: readonly (string | undefined)[]): RelationshipName {
  const asWritten = words.filter((word) => word !== undefined && word !== "").join(" ");
  return { type: asWritten.replaceAll(" ", "_").toUpperCase(), isInverse: false, asWritten };
}

/** The one form that all tenses share and that English forms by rule. */
export function thirdPerson(lemma: string): string {
  if (lemma === "have") return "has";
  if (/(?:s|x|z|ch|sh|o)$/.test(lemma)) return `${lemma}es`;
  return /[^aeiou]y$/.test(lemma) ? `${lemma.slice(0, -1)}ies` : `${lemma}s`;
}

/** Frames and what they mean; the passive of a frame runs the other way. */
export const knownFrames = readSynonyms(data.frames);
export const knownNouns = readSynonyms(data.nouns);
const meanings: ReadonlySet<string> = new Set(
  [...knownFrames.values(), ...knownNouns.values()].map(({ type }) => type),
);

/** Whether a relationship's type is one that several wordings share, rather than the one verb that it is named after. */
export function isSharedMeaning(type: string): boolean {
  return meanings.has(type);
}

function readSynonyms(lines: readonly string[]): ReadonlyMap<string, Omit<RelationshipName, "asWritten">> {
  const names = new Map<string, Omit<RelationshipName, "asWritten">>();
  for (const line of lines) {
    const [type = "", forward = "", inverse = ""] = line.split("|").map((part) => part.trim());
    for (const frame of listed(forward)) names.set(frame, { type, isInverse: false });
    for (const frame of listed(inverse)) names.set(frame, { type, isInverse: true });
  }
  return names;
}

function listed(frames: string): readonly string[] {
  return frames
    .split(",")
    .map((frame) => frame.trim())
    .filter((frame) => frame !== "");
}
