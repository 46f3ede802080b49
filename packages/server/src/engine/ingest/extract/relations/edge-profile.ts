/** What is known of an edge type before any sentence is read: its trigger words, its verbalisation, what values it takes. */

import type { EdgeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import { type Notion, readNotions, type TargetRole } from "./notion-lexicon.ts";
import { deriveForms, isContentWord, type Stem, wordsOfName } from "./word-forms.ts";

/** Of an ontology's edge types so many are embedded with more than their name: about a millisecond for each text. */
export const WORDED_EDGES = 500;

export type ValueKind = "date" | "number" | "entity";

export interface EdgeProfile {
  readonly edge: EdgeType;
  /** Name as words. */
  readonly label: string;
  /** "film director human": the triple in words. */
  readonly verbalised: string;
  /** Stem of a word → 0…1. */
  readonly triggers: ReadonlyMap<string, number>;
  readonly prepositions: ReadonlySet<string>;
  readonly role: TargetRole;
  readonly value: ValueKind;
  /** Indexes into the schema's node types. */
  readonly sources: readonly number[];
  readonly targets: readonly number[];
}

const dateLike = /\b(?:date|datetime|day|year|month|time|timestamp|period|century|decade)\b/;
const numberLike =
  /\b(?:number|count|amount|quantity|cost|price|budget|revenue|percentage|percent|size|height|length|width|weight|mass|age|population|duration|value of money|money|salary|score|isbn)\b/;

/** Of a node type, or of a relation's own name where its target type says nothing. */
export function valueKindOf(words: string): ValueKind {
  if (dateLike.test(words)) return "date";
  return numberLike.test(words) ? "number" : "entity";
}

const WEIGHTS = { name: 1, notion: 0.9, derived: 0.8, alias: 0.9, description: 0.45 };

/** The profiles of all edge types of a schema, in its order. */
export function profileEdges(schema: OntologySchema, stem: Stem): readonly EdgeProfile[] {
  const indexOf = new Map(schema.nodeTypes.map((type, index) => [type.name, index]));
  const indexes = (names: readonly string[]) => names.flatMap((name) => indexOf.get(name) ?? []);
  const notions = readNotions();
  const words = new Map(schema.nodeTypes.map(({ name }) => [name, wordsOfName(name)]));
  const wordsOfType = (name: string) => words.get(name) ?? wordsOfName(name);
  const kinds = new Map([...words.values()].map((type) => [type, valueKindOf(type)]));
  return schema.edgeTypes.map((edge) => {
    const label = wordsOfName(edge.name);
    const target = edge.targetTypes.map(wordsOfType);
    const matched = matchNotions(notions, [label, ...edge.aliases.map(wordsOfName)]);
    return {
      edge,
      label,
      verbalised: `${edge.sourceTypes.slice(0, 2).map(wordsOfType).join(" or ")} ${label} ${target.slice(0, 2).join(" or ")}`,
      triggers: triggersOf(edge, { stem, label, matched }),
      prepositions: new Set(matched.flatMap((notion) => notion.prepositions)),
      role: roleOf(label, matched),
      value: onlyKind(new Set(target.map((type) => kinds.get(type) ?? valueKindOf(type)))),
      sources: indexes(edge.sourceTypes),
      targets: indexes(edge.targetTypes),
    };
  });
}

function onlyKind(kinds: ReadonlySet<ValueKind>): ValueKind {
  const [kind] = kinds;
  return kinds.size === 1 && kind !== undefined ? kind : "entity";
}

/** The notions whose names the edge type has; a longer name stands before the shorter ones within it. */
function matchNotions(notions: readonly Notion[], names: readonly string[]): readonly Notion[] {
  const found: Notion[] = [];
  for (const name of names) {
    let rest = ` ${name} `;
    const hits = notions.flatMap((notion) =>
      notion.keys.flatMap((key) => (rest.includes(` ${key} `) ? [{ key, notion }] : [])),
    );
    for (const { key, notion } of hits.sort((a, b) => b.key.length - a.key.length)) {
      if (!rest.includes(` ${key} `)) continue;
      rest = rest.replace(` ${key} `, "  ");
      if (!found.includes(notion)) found.push(notion);
    }
  }
  return found;
}

/** A name's own form decides before what its words mean: what is "acquired by" undergoes what somebody who "acquired" does. */
function roleOf(label: string, matched: readonly Notion[]): TargetRole {
  if (/ by$/.test(label)) return "agent";
  const own = matched.find((notion) => notion.role !== "any");
  if (own !== undefined) {
    // An "owner" is the target, "owner of" the source.
    const isTurned = / of$/.test(label) && !own.keys.some((key) => / of$/.test(key) && label.endsWith(key));
    if (!isTurned) return own.role;
    return own.role === "agent" ? "patient" : "agent";
  }
  if (/(?:ector|itor|ator|oser|ucer|iter|igner|isher|\p{L}over|eper)$/u.test(label)) return "agent";
  return /^\p{L}+(?:ed|es|s)(?: (?:in|at|for|with|to|on|of|from|as|over))?$/u.test(label) ? "patient" : "any";
}

interface Sources {
  readonly stem: Stem;
  readonly label: string;
  readonly matched: readonly Notion[];
}

function triggersOf(edge: EdgeType, { stem, label, matched }: Sources): ReadonlyMap<string, number> {
  const triggers = new Map<string, number>();
  const put = (word: string, weight: number) => {
    if (!isContentWord(word)) return;
    const key = stem(word);
    if ((triggers.get(key) ?? 0) < weight) triggers.set(key, weight);
  };
  const putWords = (text: string, weight: number) => {
    for (const word of text.split(" ")) {
      put(word, weight);
      for (const form of deriveForms(word)) put(form, weight * WEIGHTS.derived);
    }
  };
  putWords(label, WEIGHTS.name);
  for (const alias of edge.aliases) putWords(wordsOfName(alias), WEIGHTS.alias);
  for (const notion of matched) {
    for (const [rank, word] of notion.triggers.entries())
      put(word, WEIGHTS.notion - Math.min(0.4, rank * 0.05));
  }
  for (const word of wordsOfName(edge.description).split(" ").slice(0, 60)) put(word, WEIGHTS.description);
  return triggers;
}
