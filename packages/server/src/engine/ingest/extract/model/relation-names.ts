/** Names relationships whose kind a model tells in the text's own words: by the names that the built-in engine gives the same words. */
import { knownFrames, knownNouns, thirdPerson, vagueVerbs } from "../facts/relationship-names.ts";
import { createTriggerStem, wordsOfName } from "../relations/word-forms.ts";

export interface NamedRelation {
  /** In capitals, words joined by underscores. */
  readonly type: string;
  /** The relationship runs from the target of the words to their source: "X wrote Y" is Y WRITTEN_BY X. */
  readonly isInverse: boolean;
}

/** They change nothing: "is located in", "was also the author of". */
const fillers = new Set(
  "is was are were be been being has have had also still now then later first formerly former currently current the a an its his her their".split(
    " ",
  ),
);
const MAX_WORDS = 5;
const MAX_STEMMED = 4_000;
/** Roots to which no "e" was lost before "ed": "attacked", "visited" may have been "visite". */
const PLAIN_ROOT = /(?:ck|sh|ch|ss|nd|rt|nt|st|ct|pt|ld|rn|rk|nk|sk|lp|mp|ft|ll|rm|rd|wn|ow|ay|oy|ey)$/;

/** null for words that say too little for a relationship, as "is" and "has". Keeps what it has read before, up to a limit. */
export function createRelationNames(): (words: string) => NamedRelation | null {
  const stem = createTriggerStem();
  const telling = (words: string) =>
    wordsOfName(words)
      .split(" ")
      .filter((word) => word !== "" && !fillers.has(word));
  const stemmed = (words: string) =>
    telling(words)
      .map((word) => stem(word))
      .join(" ");
  const known = new Map(
    [...knownNouns, ...knownFrames].map(([frame, name]) => [stemmed(frame), name] as const),
  );
  const vague = new Set([...vagueVerbs].map((verb) => stem(verb)));
  const read = new Map<string, NamedRelation | null>();

  function nameOf(words: string): NamedRelation | null {
    const found = known.get(stemmed(words));
    if (found !== undefined) return found;
    const [first = "", ...rest] = telling(words);
    const count = rest.length + 1;
    if (!/^\p{L}{3,}$/u.test(first) || count > MAX_WORDS || vague.has(stem(first))) return null;
    if (rest.some((word) => !/^\p{L}+$/u.test(word))) return null;
    // A lone verb has the one form that the built-in engine gives all its tenses.
    const root = /^(\p{L}+)ed$/u.exec(first)?.[1] ?? "";
    const verb = count === 1 && PLAIN_ROOT.test(root) ? thirdPerson(root) : first;
    return { type: [verb, ...rest].join("_").toUpperCase(), isInverse: false };
  }

  return (words) => {
    const before = read.get(words);
    if (before !== undefined) return before;
    if (read.size >= MAX_STEMMED) read.clear();
    const named = nameOf(words);
    read.set(words, named);
    return named;
  };
}
