/** What was read of a use case so far: candidates of types, what joins them, what they have. */
import { nameKey } from "../../../domain/ontology/fields.ts";
import { propertyName, typeName, wordsOf } from "./names.ts";

/** How a type was named: in a list, as an end of what a verb joins, as what is asked for, or beside another. */
export type Evidence = "listed" | "linked" | "framed" | "attached";

export interface TypeCandidate {
  /** PascalCase. */
  readonly name: string;
  /** Small letters; the last in the singular or plural, as first read. */
  readonly words: readonly string[];
  readonly evidence: ReadonlyMap<Evidence, number>;
  /** snake_case, in order of mention. */
  readonly properties: readonly string[];
  readonly description: string;
}

export interface EdgeCandidate {
  /** UPPER_SNAKE_CASE. */
  readonly name: string;
  /** Keys of types. */
  readonly source: string;
  readonly target: string;
  readonly isTemporal: boolean;
  readonly properties: readonly string[];
}

/** Something that gathers others: "families of products". Keys of types. */
export interface Gathering {
  readonly group: string;
  readonly members: readonly string[];
}

/** "X has a, b and c", where each may be a property or a type of its own. */
export interface Possession {
  readonly owner: string;
  /** What it is called as a type, and as a property. */
  readonly type: string;
  readonly property: string;
  readonly isPlural: boolean;
  /** It stands in a list with nouns that are properties for sure. */
  readonly isAmongProperties: boolean;
  readonly isProperty: boolean;
}

export interface Draft {
  /** By key, in order of first mention. */
  readonly types: ReadonlyMap<string, TypeCandidate>;
  readonly edges: readonly EdgeCandidate[];
  readonly gatherings: readonly Gathering[];
  readonly possessions: readonly Possession[];
  /** The key of the type, or "" where the phrase has no word. */
  mention(phrase: string, evidence: Evidence, description?: string): string;
  addProperty(type: string, phrase: string): void;
  addEdge(edge: EdgeCandidate): void;
  addGathering(gathering: Gathering): void;
  addPossession(possession: Possession): void;
}

const MAX_TYPES = 400;
const MAX_EDGES = 800;
const MAX_PROPERTIES = 60;
const MAX_DESCRIPTION = 240;

interface Growing {
  readonly name: string;
  readonly words: readonly string[];
  readonly evidence: Map<Evidence, number>;
  readonly properties: string[];
  description: string;
}

export function createDraft(): Draft {
  const types = new Map<string, Growing>();
  const edges: EdgeCandidate[] = [];
  const gatherings: Gathering[] = [];
  const possessions: Possession[] = [];
  return {
    types,
    edges,
    gatherings,
    possessions,
    mention(phrase, evidence, description = "") {
      const name = typeName(phrase);
      const key = nameKey(name);
      if (key === "") return "";
      const type = types.get(key) ?? newType(name, phrase);
      if (!types.has(key) && types.size >= MAX_TYPES) return "";
      types.set(key, type);
      type.evidence.set(evidence, (type.evidence.get(evidence) ?? 0) + 1);
      if (type.description === "") type.description = cleanText(description);
      return key;
    },
    addProperty(type, phrase) {
      const name = propertyName(phrase);
      const properties = types.get(type)?.properties;
      if (name === "" || properties === undefined || properties.length >= MAX_PROPERTIES) return;
      if (!properties.some((known) => nameKey(known) === nameKey(name))) properties.push(name);
    },
    addEdge(edge) {
      const isWhole = edge.name !== "" && edge.source !== "" && edge.target !== "";
      if (isWhole && edges.length < MAX_EDGES) edges.push(edge);
    },
    addGathering(gathering) {
      if (gathering.group !== "" && gatherings.length < MAX_TYPES) gatherings.push(gathering);
    },
    addPossession(possession) {
      if (possession.owner !== "" && possessions.length < MAX_EDGES) possessions.push(possession);
    },
  };
}

function newType(name: string, phrase: string): Growing {
  return { name, words: wordsOf(phrase), evidence: new Map(), properties: [], description: "" };
}

/** One line of well-formed text, cut between words. */
function cleanText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/\*\*|__/g, "")
    .trim();
  if (line.length <= MAX_DESCRIPTION) return line;
  const cut = line.slice(0, MAX_DESCRIPTION);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_DESCRIPTION - 40)).toWellFormed()} …`;
}
