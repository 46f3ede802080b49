/** Reads what a key means under an ontology: which node types and edge types its words name, and how much it is like what they say. */
import type { EdgeType, NodeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { headOf, readableName, singular } from "../../../text/type-names.ts";
import type { EdgeProfile } from "../relations/edge-profile.ts";
import { isContentWord, type Stem, wordsOfName } from "../relations/word-forms.ts";
import { weighTypeWords } from "../types/type-words.ts";
import { dotAll, type Embed } from "../vectors.ts";
import { isNeutral } from "./field-names.ts";
import { findTables } from "./find-records.ts";

/** Of a key's words before its last. */
const INNER_WEIGHT = 0.8;
const MAX_KEYS = 512;
/** Texts beside the names that are embedded, of all types and edge types together. */
const SIDE_TEXTS = 1_000;
/** The model reads no more of it. */
const SIDE_UNITS = 300;
/** "holder" holds. */
const agentEnding = /(?<=\p{L}{3})(?:ers?|ors?|ees?|ing)$/u;
/** "Region name" names a region. */
const naming = /(?<=\S) (?:names?|titles?)$/;

/** For each node type and each edge type, in the order of the schema. */
export interface KeyMeaning {
  /** How far the key's words name it, 0…1. */
  readonly types: readonly number[];
  readonly edges: readonly number[];
  /** The cosine of the key and the node type's name; and the highest with its name, description or an alias. */
  readonly likeTypeNames: Float64Array;
  readonly likeTypes: Float64Array;
  /** The cosine of the key and the edge type's name, the highest with an alias; and with its description. */
  readonly likeEdges: Float64Array;
  readonly likeEdgeTexts: Float64Array;
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
  const sides = Math.floor(SIDE_TEXTS / Math.max(1, schema.nodeTypes.length + schema.edgeTypes.length));
  const likeTypeNames = await embedTexts(schema.nodeTypes, 0, embed);
  const likeTypes = await embedTexts(schema.nodeTypes, sides, embed);
  const named = schema.edgeTypes.map((edge) => ({ ...edge, description: "" }));
  const likeEdges = await embedTexts(named, sides, embed);
  const described = schema.edgeTypes.map(({ description: name }) => ({ name, description: "", aliases: [] }));
  const likeEdgeTexts = await embedTexts(described.slice(0, SIDE_TEXTS), 0, embed);
  const read = async (key: string): Promise<KeyMeaning> => {
    const name = wordsOfName(key).replace(naming, "");
    const words = name.split(" ").filter(isContentWord);
    const head = headOf(name);
    const vector = name === "" ? null : await embed(name);
    const best = (weights: ReadonlyMap<string, number>, formsOf: (word: string) => readonly string[]) =>
      words.reduce((most, word) => {
        const weight = Math.max(...formsOf(word).map((form) => weights.get(stem(form)) ?? 0));
        return Math.max(most, singular(word) === head ? weight : weight * INNER_WEIGHT);
      }, 0);
    const inNumber = (word: string) => [word, singular(word)];
    const asVerb = (word: string) => [...inNumber(word), singular(word).replace(agentEnding, "")];
    return {
      types: types.map((weights) => best(weights, inNumber)),
      edges: edges.map(({ triggers }, at) => (taught[at]?.has(key) === true ? 1 : best(triggers, asVerb))),
      likeTypeNames: likeTypeNames(vector),
      likeTypes: likeTypes(vector),
      likeEdges: likeEdges(vector),
      likeEdgeTexts: likeEdgeTexts(vector),
    };
  };
  const known = createRecentMap<string, Promise<KeyMeaning>>(MAX_KEYS);
  return (key) => known.getOrMake(key, () => read(key));
}

/** Returns the highest cosine with a text of each type. */
async function embedTexts(
  types: readonly Pick<NodeType, "name" | "description" | "aliases">[],
  sides: number,
  embed: Embed,
): Promise<(vector: Float32Array | null) => Float64Array> {
  const rows: Float32Array[] = [];
  const owners: number[] = [];
  for (const [owner, { name, description, aliases }] of types.entries()) {
    const described = description === "" ? [] : [description.slice(0, SIDE_UNITS)];
    const side = [...described, ...aliases.map(readableName)].slice(0, sides);
    for (const text of [wordsOfName(name.slice(0, SIDE_UNITS)), ...side]) {
      rows.push(await embed(text));
      owners.push(owner);
    }
  }
  return (vector) => {
    const most = new Float64Array(types.length);
    if (vector === null) return most;
    for (const [row, value] of dotAll(vector, rows).entries()) {
      const owner = owners[row]!; // One for each row.
      most[owner] = Math.max(most[owner]!, value);
    }
    return most;
  };
}

/** The keys of fields by which examples tell the edge type. */
function keysOfExamples({ examples }: EdgeType): ReadonlySet<string> {
  const keys = examples.flatMap(({ source, target, text }) => {
    if (text === null || source === null || target === null) return [];
    const fields = findTables(text).flatMap(({ records }) => records.flat());
    const named = fields.filter(({ start, end }) =>
      [source, target].some((name) => text.slice(start, end).includes(name)),
    );
    return named.map(({ key }) => wordsOfName(key)).filter((key) => !isNeutral(key));
  });
  return new Set(keys);
}
