/** Finds the edge type of an ontology that says what a statement's verb says. */

import type { EdgeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import { readNotions } from "../relations/notion-lexicon.ts";
import { createTriggerStem, wordsOfName } from "../relations/word-forms.ts";
import { knownFrames, knownNouns } from "./relationship-names.ts";
import type { StatementLink } from "./statement-links.ts";

export interface NamedEdge {
  readonly edge: EdgeType;
  /** The edge's source is the statement link's target. */
  readonly isInverse: boolean;
}

/** "SUED" is stemmed to less than "sues" is. */
function withInfinitive(name: string): readonly string[] {
  const words = wordsOfName(name);
  return [words, words.replace(/^(\p{L}+e)d\b/u, "$1")];
}

/** The name and the other names of the notions that it names: "director", "directed by". */
function createNotionNames(): (name: string) => readonly string[] {
  const namesOf = new Map<string, string[]>();
  for (const { keys } of readNotions())
    for (const key of new Set(keys)) namesOf.set(key, [...(namesOf.get(key) ?? []), ...keys]);
  return (name) => {
    const words = wordsOfName(name);
    return [words, ...(namesOf.get(words) ?? [])];
  };
}

/** What the frames that statements know mean, by the stems of their words. */
function readFrameTypes(stemmed: (name: string) => string) {
  return new Map(
    [...knownFrames, ...knownNouns].map(([frame, name]) => [stemmed(frame), name] as const).reverse(),
  );
}

/** What a verb says besides, the more exact first; "~" where it runs the other way. */
const implied: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    HEADQUARTERED_IN: ["LOCATED_IN"],
    OPERATED_BY: ["MANAGED_BY", "LED_BY"],
    LED_BY: ["MANAGED_BY"],
    MANAGED_BY: ["LED_BY", "OPERATED_BY"],
    MANUFACTURED_BY: ["PRODUCED_BY"],
    PRODUCED_BY: ["MANUFACTURED_BY"],
    BUILT_BY: ["MANUFACTURED_BY", "PRODUCED_BY"],
    MAKES: ["~MANUFACTURED_BY", "~PRODUCED_BY"],
  }),
);

/** Words that change nothing: "IS_LOCATED_IN", "HAS_AUTHOR". */
const fillers = new Set("is was has are be been the a an".split(" "));

/**
 * By the words of the names and aliases, as stems: BORN_IN for "was born in", ACQUIRED for "acquires", WRITTEN_BY and WROTE for
 * "wrote". The names as they are written come first, then those whose verb has the same meaning: EDUCATED_AT for "studied at".
 */
export function createEdgeNames({
  edgeTypes,
}: OntologySchema): (link: StatementLink) => readonly NamedEdge[] {
  const stem = createTriggerStem();
  const stemmed = (name: string) =>
    wordsOfName(name)
      .split(" ")
      .filter((word) => !fillers.has(word))
      .map((word) => stem(word))
      .join(" ");
  const names = new Map<string, EdgeType[]>();
  for (const edge of edgeTypes) {
    for (const name of new Set([edge.name, ...edge.aliases].flatMap(withInfinitive).map(stemmed))) {
      const known = names.get(name);
      if (known === undefined) names.set(name, [edge]);
      else known.push(edge);
    }
  }
  const phrases = new Map<string, EdgeType[]>();
  const sameNotion = createNotionNames();
  for (const edge of edgeTypes) {
    // "ILLUSTRATOR" is what "illustrated by" says; a lone noun may say it the other way round.
    const said = [edge.name, ...edge.aliases].flatMap(sameNotion).filter((name) => name.includes(" "));
    for (const name of new Set(said.map(stemmed))) {
      const known = phrases.get(name);
      if (known === undefined) phrases.set(name, [edge]);
      else known.push(edge);
    }
  }
  const synonyms = readFrameTypes(stemmed);
  const edgesOf = new Map<string, NamedEdge[]>();
  for (const edge of edgeTypes) {
    // "AUTHOR" may be what wrote something or who wrote it: phrases first, and the types of the ends decide.
    const said = [...new Set([edge.name, ...edge.aliases].flatMap(sameNotion).map(stemmed))];
    for (const name of said.sort((a, b) => Number(b.includes(" ")) - Number(a.includes(" ")))) {
      const meant = synonyms.get(name);
      const known = meant === undefined ? [] : (edgesOf.get(meant.type) ?? []);
      const isKnown = known.some((one) => one.edge === edge && one.isInverse === meant?.isInverse);
      if (meant === undefined || isKnown) continue;
      // Who owns something need not have bought it.
      if (meant.type === "OWNED_BY" && /^(?:acquire|bought|buy|purchase)/.test(wordsOfName(edge.name)))
        continue;
      edgesOf.set(meant.type, [...known, { edge, isInverse: meant.isInverse }]);
    }
  }
  return ({ type, asWritten, isInverse }) => {
    const written = stemmed(asWritten);
    const merged = stemmed(type);
    // "X wrote Y" is Y WRITTEN_BY X: an edge WROTE runs the other way than its passive.
    const passive = merged.endsWith(" by") ? merged.slice(0, -3) : null;
    const found = [
      ...(names.get(written) ?? []).map((edge) => ({ edge, isInverse })),
      ...(names.get(merged) ?? []).map((edge) => ({ edge, isInverse: false })),
      ...(edgesOf.get(type) ?? []),
      ...(phrases.get(written) ?? []).map((edge) => ({ edge, isInverse })),
      ...(phrases.get(merged) ?? []).map((edge) => ({ edge, isInverse: false })),
      ...(passive === null ? [] : (names.get(passive) ?? []).map((edge) => ({ edge, isInverse: true }))),
      ...(implied.get(type) ?? []).flatMap((said) => {
        const isTurned = said.startsWith("~");
        const edges = edgesOf.get(isTurned ? said.slice(1) : said) ?? [];
        return edges.map(({ edge, isInverse }) => ({ edge, isInverse: isInverse !== isTurned }));
      }),
    ];
    const seen = { straight: new Set<EdgeType>(), turned: new Set<EdgeType>() };
    return found.filter(({ edge, isInverse }) => {
      const known = isInverse ? seen.turned : seen.straight;
      return !known.has(edge) && known.add(edge);
    });
  };
}
