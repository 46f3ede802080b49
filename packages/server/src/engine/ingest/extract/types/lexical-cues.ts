/** Words in and around a mention that name its type outright: "Oak University", "the river Tamar", "parrots such as the kea". */

import { singular } from "../../../text/type-names.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { ANCHORS } from "./anchors.ts";
import { isGivenName } from "./glossary/given-names.ts";
import { buildTypeLexicon } from "./glossary/type-lexicon.ts";
import { exampleForm, type TypeProfile } from "./type-profile.ts";

/** What cues need to know of a type. */
export type CuedType = Pick<TypeProfile, "readable" | "head" | "anchor" | "examples">;

/** What a cue may be; its place in this list is its place in the weights. */
export const CUES = [
  "headInside",
  "headBefore",
  "headAfter",
  "generalType",
  "wordLast",
  "wordInside",
  "known",
  "ending",
  "wordBefore",
  "wordAfter",
  "wordOfList",
  "givenName",
  "initials",
  "knownTerm",
  "wordLastOfTerm",
  "untold",
] as const;

type Cue = (typeof CUES)[number];

/** What a mention's words tell of each type. */
export interface CueReader {
  /** Each pair of a type and a cue for it once, as type × `CUES.length` + cue. */
  hits(tokens: readonly TaggedToken[], mention: EntityMention): readonly number[];
  /** Types of which the last word of a name of several says that it is a kind. */
  namedBy(tokens: readonly TaggedToken[], mention: EntityMention): readonly number[];
  /** For each type whether the mention is one of its examples. */
  examples(tokens: readonly TaggedToken[], mention: EntityMention): readonly boolean[];
}

const placeOf = Object.fromEntries(CUES.map((cue, place) => [cue, place])) as Record<Cue, number>; // Has every cue.
const general = new Set(
  "person organization organisation location place event product work thing entity concept other".split(" "),
);
const none: readonly number[] = [];

export function createCueReader(profiles: readonly CuedType[]): CueReader {
  const lexicon = buildTypeLexicon(profiles.map(({ readable }) => readable));
  const heads = new Map<string, readonly number[]>();
  for (const [type, { head }] of profiles.entries()) heads.set(head, [...(heads.get(head) ?? []), type]);
  const people = typesWhere(profiles, ({ anchor }) => ANCHORS[anchor] === "person");
  const generalTypes = typesWhere(
    profiles,
    ({ readable, anchor }) =>
      general.has(readable) && profiles.filter((profile) => profile.anchor === anchor).length > 1,
  );
  const hasExamples = profiles.some(({ examples }) => examples.size > 0);
  const noExamples = profiles.map(() => false);
  const namedBy = (tokens: readonly TaggedToken[], mention: EntityMention) => {
    const { kind, from, to } = mention;
    const isName = kind === "proper" && to - from > 1 && !isPersonName(tokens, mention);
    return (isName ? lexicon.heads.get(tokens[to - 1]!.lower) : undefined) ?? none;
  };
  return {
    namedBy,
    hits(tokens, mention) {
      const { inside, last, before, after, listed } = readMentionWords(tokens, mention);
      const found = new Set<number>();
      const add = (types: readonly number[] | undefined, cue: Cue) => {
        for (const type of types ?? none) found.add(type * CUES.length + placeOf[cue]);
      };
      add(generalTypes, "generalType");
      for (const word of inside) {
        add(heads.get(word), "headInside");
        if (!last.includes(word)) add(lexicon.words.get(word), "wordInside");
      }
      const isTerm = mention.kind === "noun";
      for (const word of last) add(lexicon.words.get(word), isTerm ? "wordLastOfTerm" : "wordLast");
      add(namedBy(tokens, mention), "wordLast");
      for (const word of before) {
        add(heads.get(word), "headBefore");
        add(lexicon.words.get(word), "wordBefore");
      }
      for (const word of after) {
        add(heads.get(word), "headAfter");
        add(lexicon.words.get(word), "wordAfter");
      }
      for (const word of listed) {
        add(heads.get(word), "wordOfList");
        add(lexicon.words.get(word), "wordOfList");
      }
      add(lexicon.known.get(nameOf(tokens, mention)), isTerm ? "knownTerm" : "known");
      for (const [ending, types] of lexicon.endings) {
        if (last[0]!.length > ending.length + 2 && last[0]!.endsWith(ending)) add(types, "ending");
      }
      if (mention.kind === "proper") addPeople(tokens[mention.from]!, people, add);
      add(
        lexicon.told.filter((type) => !isSupported(found, type)),
        "untold",
      );
      return [...found];
    },
    examples(tokens, mention) {
      if (!hasExamples) return noExamples;
      const name = nameOf(tokens, mention);
      return profiles.map(({ examples }) => examples.has(name));
    },
  };
}

const support = (
  ["known", "knownTerm", "wordLast", "wordLastOfTerm", "wordInside", "headInside", "wordOfList"] as const
).map((cue) => placeOf[cue]);

function isSupported(found: ReadonlySet<number>, type: number): boolean {
  return support.some((place) => found.has(type * CUES.length + place));
}

function typesWhere(profiles: readonly CuedType[], holds: (profile: CuedType) => boolean): readonly number[] {
  return [...profiles.keys()].filter((type) => holds(profiles[type]!));
}

/** "Anna House": a given name and one more word. */
function isPersonName(tokens: readonly TaggedToken[], { from, to }: EntityMention): boolean {
  return to - from === 2 && isGivenName(tokens[from]!.lower);
}

function addPeople(
  first: TaggedToken,
  people: readonly number[],
  add: (types: readonly number[], cue: Cue) => void,
): void {
  if (isGivenName(first.lower)) add(people, "givenName");
  if (/^\p{Lu}\.(?:-?\p{Lu}\.)*$/u.test(first.text)) add(people, "initials");
}

function nameOf(tokens: readonly TaggedToken[], { from, to }: EntityMention): string {
  let name = tokens[from]!.lower;
  for (let at = from + 1; at < to; at++) {
    const { start, lower } = tokens[at]!;
    name += start === tokens[at - 1]!.end ? lower : ` ${lower}`;
  }
  return exampleForm(name);
}

interface MentionWords {
  /** Words of the mention as they are, and its last in the singular. */
  readonly inside: ReadonlySet<string>;
  /** The last word, as it is and in the singular. */
  readonly last: readonly string[];
  /** The word before it, and the one before a quotation mark or "of". */
  readonly before: readonly string[];
  /** The word after it, and the nouns of a predicate: "is a …". */
  readonly after: readonly string[];
  /** What the list that it stands in is said to be of: "birds such as …", "… and other birds". */
  readonly listed: readonly string[];
}

const copulas = new Set(["is", "was", "are", "were"]);
const predicateTags = new Set(["NOUN", "PROPN", "DET", "ADJ", "NUM", "ADV", "PUNCT"]);
const predicateTokens = 10;
const marks = new Set(['"', "“", "'", ",", "of", "the", "called", "named", "(", "a", "an"]);

function readMentionWords(tokens: readonly TaggedToken[], mention: EntityMention): MentionWords {
  const { from, to } = mention;
  const inside = new Set<string>();
  for (let at = from; at < to; at++) inside.add(tokens[at]!.lower);
  const end = tokens[to - 1]!.lower;
  inside.add(singular(end));
  const before: string[] = [];
  let at = from - 1;
  for (let steps = 0; steps < 3 && at > 0 && marks.has(tokens[at]!.lower); steps++) at--;
  if (at >= 0) before.push(singular(tokens[at]!.lower));
  const after: string[] = [];
  const next = tokens[to];
  if (next !== undefined) after.push(singular(next.lower));
  if (next !== undefined && copulas.has(next.lower)) {
    for (let at = to + 1; at < Math.min(tokens.length, to + predicateTokens); at++) {
      const token = tokens[at]!;
      if (!predicateTags.has(token.tag)) break;
      if (token.tag === "NOUN") after.push(singular(token.lower));
    }
  }
  return { inside, last: [end, singular(end)], before, after, listed: listNouns(tokens, mention) };
}

const listReach = 24;
const openers = new Set([
  "like",
  "including",
  "include",
  "includes",
  "included",
  "especially",
  "namely",
  ":",
]);
const listTags = new Set(["NOUN", "PROPN", "ADJ", "CCONJ", "NUM", "DET", "PUNCT", "X"]);

/** Hearst 1992, https://aclanthology.org/C92-2082. */
function listNouns(tokens: readonly TaggedToken[], { from, to }: EntityMention): readonly string[] {
  const nouns: string[] = [];
  for (let at = from - 1; at > Math.max(0, from - listReach); at--) {
    const { lower, tag } = tokens[at]!;
    const isSuchAs = lower === "as" && tokens[at - 1]!.lower === "such";
    if (isSuchAs || openers.has(lower)) {
      let noun = isSuchAs ? at - 2 : at - 1;
      if (tokens[noun]?.lower === ",") noun--;
      if (tokens[noun]?.tag === "NOUN") nouns.push(singular(tokens[noun]!.lower));
      break;
    }
    if (!listTags.has(tag) || lower === "." || lower === ";") break;
  }
  if (/^(?:and|or)$/.test(tokens[to]?.lower ?? "") && tokens[to + 1]?.lower === "other") {
    for (let at = to + 2; at < Math.min(tokens.length, to + 6); at++) {
      const { tag, lower } = tokens[at]!;
      if (tag === "NOUN" && tokens[at + 1]?.tag !== "NOUN") nouns.push(singular(lower));
      if (tag !== "NOUN" && tag !== "ADJ") break;
    }
  }
  return nouns;
}
