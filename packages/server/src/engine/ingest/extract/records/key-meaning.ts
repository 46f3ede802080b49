/** Reads what a key means under an ontology: which node types and edge types its words name. */
import type { EdgeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { headOf, readableName, singular } from "../../../text/type-names.ts";
import type { EdgeProfile } from "../relations/edge-profile.ts";
import { isContentWord, type Stem, wordsOfName } from "../relations/word-forms.ts";
import { weighTypeWords } from "../types/type-words.ts";
import { dot, type Embed } from "../vectors.ts";
import { findTables } from "./find-records.ts";

/** Least cosine of a key and a type's name from which they say the same. */
const LEAST_LIKENESS = 0.62;
/** Of a key's words before its last, and of a key like a type's name in meaning. */
const WEIGHTS = { inner: 0.8, like: 0.7 } as const;
const MAX_KEYS = 512;
/** "holder" holds. */
const agentEnding = /(?<=\p{L}{3})(?:ers?|ors?|ees?|ing)$/u;
const naming = /^(?:.* )?(?:name|title)$/;

/** Whether the field has what the record's thing is called. */
export function isNaming(key: string): boolean {
  return naming.test(key);
}

/** How far a key names each node type and each edge type, 0…1. */
export interface KeyMeaning {
  readonly types: readonly number[];
  readonly edges: readonly number[];
}

export type ReadKey = (key: string) => Promise<KeyMeaning>;

export interface KeyWords {
  readonly embed: Embed;
  readonly edges: readonly EdgeProfile[];
  readonly stem: Stem;
}

export async function createKeyReader(
  schema: OntologySchema,
  { embed, edges, stem }: KeyWords,
): Promise<ReadKey> {
  const types = weighTypeWords(schema.nodeTypes, stem);
  const taught = edges.map(({ edge }) => keysOfExamples(edge));
  const vectors: Float32Array[] = [];
  for (const { name } of schema.nodeTypes) vectors.push(await embed(readableName(name)));
  const read = async (key: string): Promise<KeyMeaning> => {
    const words = wordsOfName(key).split(" ").filter(isContentWord);
    const head = headOf(wordsOfName(key));
    const vector = words.length === 0 ? null : await embed(words.join(" "));
    const best = (weights: ReadonlyMap<string, number>, formsOf: (word: string) => readonly string[]) =>
      words.reduce((most, word) => {
        const weight = Math.max(...formsOf(word).map((form) => weights.get(stem(form)) ?? 0));
        return Math.max(most, singular(word) === head ? weight : weight * WEIGHTS.inner);
      }, 0);
    const inNumber = (word: string) => [word, singular(word)];
    const asVerb = (word: string) => [...inNumber(word), singular(word).replace(agentEnding, "")];
    return {
      types: types.map((weights, at) => {
        const like = vector === null ? 0 : dot(vector, vectors[at] ?? vector);
        return Math.max(best(weights, inNumber), like >= LEAST_LIKENESS ? WEIGHTS.like : 0);
      }),
      edges: edges.map(({ triggers }, at) => (taught[at]?.has(key) === true ? 1 : best(triggers, asVerb))),
    };
  };
  const known = createRecentMap<string, Promise<KeyMeaning>>(MAX_KEYS);
  return (key) => known.getOrMake(key, () => read(key));
}

/** The keys of fields by which examples tell the edge type. */
function keysOfExamples({ examples }: EdgeType): ReadonlySet<string> {
  const keys = examples.flatMap(({ source, target, text }) => {
    if (text === null || source === null || target === null) return [];
    const fields = findTables(text).flatMap(({ records }) => records.flat());
    const named = fields.filter(({ start, end }) =>
      [source, target].some((name) => text.slice(start, end).includes(name)),
    );
    return named.map(({ key }) => key.toLowerCase()).filter((key) => key !== "" && !isNaming(key));
  });
  return new Set(keys);
}
