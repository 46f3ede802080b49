/** Names relationships by the verbs that state them, where no ontology names them: one name for one meaning. */

import type { TaggedToken } from "../statements/tagged-token.ts";
import { isFormOfBe } from "../statements/tagged-token.ts";

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

/** A name a line: the frames that state it, and after the bar those that state it the other way round. */
const synonyms = `
FOUNDED_BY | be found by, be establish by, be set up by, be cofound by, be start by, be co-found by | found, establish, cofound, co-found, set up
CREATED_BY | be create by, be invent by, be conceive by, be devise by | create, invent, devise
WRITTEN_BY | be write by, be author by, be pen by | write, author
DIRECTED_BY | be direct by | direct
PRODUCED_BY | be produce by | produce
COMPOSED_BY | be compose by | compose
DESIGNED_BY | be design by | design
BUILT_BY | be build by, be construct by, be erect by | build, construct
DEVELOPED_BY | be develop by | develop
PUBLISHED_BY | be publish by | publish
RELEASED_BY | be release by | release
PAINTED_BY | be paint by | paint
PERFORMED_BY | be perform by, be record by | perform, record
DISCOVERED_BY | be discover by | discover
MANUFACTURED_BY | be manufacture by, be make by | manufacture
OPERATED_BY | be operate by, be run by | operate, run
ACQUIRED_BY | be acquire by, be buy by, be purchase by, be take over by | acquire, buy, purchase, take over
OWNED_BY | be own by, belong to | own
LED_BY | be lead by, be head by, be chair by | lead, head, chair
MANAGED_BY | be manage by | manage
HOSTED_BY | be host by | host
SUPPORTED_BY | be support by, be back by, be fund by, be sponsor by | support, back, fund, sponsor
SUCCEEDED_BY | be succeed by, be replace by | succeed, replace
DEFEATED_BY | be defeat by, be beat by | defeat, beat
APPOINTED_BY | be appoint by | appoint
TAUGHT_BY | be teach by | teach
PRECEDED_BY | be precede by | precede
BORN_IN | be bear in, be bear at |
DIED_IN | die in, die at, pass away in |
BURIED_IN | be bury in, be bury at |
LIVES_IN | live in, reside in, settle in |
MOVED_TO | move to, relocate to, emigrate to, immigrate to |
WORKS_FOR | work for, work at, be employ by, join | employ, hire
STUDIED_AT | study at, graduate from, be educate at, attend |
TEACHES_AT | teach at, lecture at |
MEMBER_OF | be member of |
MARRIED_TO | marry, be marry to, wed |
LOCATED_IN | be locate in, be situate in, locate in, situate in, lie in, be in, stand in, be locate at |
HEADQUARTERED_IN | be headquarter in, be base in, have headquarters in |
LOCATED_ON | lie on, be locate on, be situate on, stand on |
LOCATED_NEAR | be locate near, be near, lie near |
PART_OF | be part of, form part of |
NAMED_AFTER | be name after, be name for |
BASED_ON | be base on, be adapt from, be inspire by, derive from |
WON | win, be award |
PLAYS_FOR | play for, sign for, sign with |
STARS_IN | star in, appear in, act in | star, feature
COMPETED_IN | compete in, participate in, take part in |
VISITED | visit, travel to |
MERGED_WITH | merge with |
BORDERS | border, border on |
FLOWS_INTO | flow into, empty into |
SIGNED_BY | be sign by | sign
PARTNER_OF | partner with, cooperate with, collaborate with |
`;

/** Nouns of predicates and appositions: "is the author of". */
const nounSynonyms = `
WRITTEN_BY | | author of, writer of
FOUNDED_BY | | founder of, cofounder of, co-founder of
DESIGNED_BY | | architect of, designer of
LED_BY | | executive of, ceo of, head of, leader of, chair of, chairman of, chairwoman of, chairperson of, president of
OWNED_BY | subsidiary of, division of, brand of | owner of, parent of
MARRIED_TO | wife of, husband of, spouse of |
CHILD_OF | son of, daughter of, child of | father of, mother of, parent of
LOCATED_IN | village in, town in, city in, municipality in, commune in, district in, suburb in, river in, island in, region in, province in, county in, building in, museum in, university in, school in, airport in, station in, church in, mountain in, lake in, park in, bridge in, castle in, neighborhood in, neighbourhood in, settlement in, harbour in, port in, hospital in |
PART_OF | part of, component of, member in |
WORKS_FOR | employee of, employee at, engineer at, researcher at |
TEACHES_AT | professor at, lecturer at, teacher at |
CAPITAL_OF | capital of, capital city of |
`;

/** They say too little: who has, does or uses what. */
export const vagueVerbs: ReadonlySet<string> = new Set(
  (
    "have include contain do make be get take give go come see say tell use call know let put keep show seem look want need find become " +
    "mean add ask try allow help provide offer describe consider name note state begin continue remain change " +
    "set bring turn leave hold think believe report announce issue send thank reply mention discuss contact meet spell title style nickname base roll grow"
  ).split(" "),
);
const particles = new Set("up over out away off down".split(" "));
const prepositions = new Set(
  "in at on for of to with by from into near under after against through between within as about over".split(
    " ",
  ),
);
/** "one of", "a number of", "a kind of": the noun says nothing. */
const emptyNouns = new Set(
  (
    "one some number kind type sort form example name lot series set group pair result case way day year time end " +
    "side piece version list majority most many all each rest range variety thing people person man woman"
  ).split(" "),
);

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

const makings: readonly (readonly [frame: string, nouns: string])[] = [
  [
    "be write by",
    "novel novella book poem play story essay memoir trilogy biography autobiography comic manga textbook",
  ],
  ["be perform by", "song single track album ep"],
  ["be direct by", "film movie documentary miniseries"],
  ["be paint by", "painting fresco"],
  ["be compose by", "opera symphony ballet concerto sonata"],
];
const makingOfNoun: ReadonlyMap<string, string> = new Map(
  makings.flatMap(([frame, nouns]) => nouns.split(" ").map((noun) => [noun, frame] as const)),
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
export const knownFrames = readSynonyms(synonyms);
export const knownNouns = readSynonyms(nounSynonyms);
const meanings: ReadonlySet<string> = new Set(
  [...knownFrames.values(), ...knownNouns.values()].map(({ type }) => type),
);

/** Whether a relationship's type is one that several wordings share, rather than the one verb that it is named after. */
export function isSharedMeaning(type: string): boolean {
  return meanings.has(type);
}

function readSynonyms(lines: string): ReadonlyMap<string, Omit<RelationshipName, "asWritten">> {
  const names = new Map<string, Omit<RelationshipName, "asWritten">>();
  for (const line of lines.trim().split("\n")) {
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
