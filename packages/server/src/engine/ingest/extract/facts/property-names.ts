/** What is known of a declared property before any text is read: the words that introduce its values. */

import type { Span } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { createTriggerStem, type Stem, wordsOfName } from "../relations/word-forms.ts";
import type { FoundEntity } from "./found-entity.ts";

export type PropertyKind = "date" | "number" | "text";

export interface PropertyProfile {
  readonly nodeType: string;
  readonly name: string;
  readonly kind: PropertyKind;
  /** Stems of the name without the words that only say what kind of value it is, sorted; also of its other forms. */
  readonly forms: readonly (readonly string[])[];
}

/** The span is that of the value. */
export interface StatedValue extends Span {
  readonly profile: PropertyProfile;
  readonly entity: FoundEntity;
}

/** They say what kind of value it is, or nothing. */
const dateWords = new Set("date year day time month datetime timestamp on since at in".split(" "));
const numberWords = new Set("number count amount total quantity value of in".split(" "));
const fillers = new Set(
  "of the a an in at on for is was has its their his her official current full".split(" "),
);
const numeric = new Set(
  (
    "price cost weight height length width depth size age population revenue budget salary capacity speed distance area " +
    "duration employees staff percentage score rating power voltage temperature mass volume range deposit rent fee"
  ).split(" "),
);
/** A participle for a name asks when: "founded", "released". */
const participle = /^(?:born|built|\p{L}{3,}ed)$/u;

/** Words that introduce the same values, a row each. */
const synonyms = [
  "price cost priced costs",
  "weight weigh weighs",
  "height high tall",
  "length long",
  "width wide",
  "depth deep",
  "population inhabitants residents",
  "birth born",
  "death died",
  "founded foundation founding established inception founding",
  "released release",
  "employees staff workers",
  "age aged",
  "occupation profession job",
  "email e-mail mail",
].map((row) => row.split(" "));

/** The profiles of declared properties, by node type; a type's name for its entities' names is none of them. */
export interface PropertyProfiles {
  /** Whether no type declares any. */
  readonly isEmpty: boolean;
  /** Empty for a type that declares none. */
  of(nodeType: string): readonly PropertyProfile[];
}

/** Types whose profiles are kept: those of all 2,000 with 200 properties each would take 120 MB. */
const MAX_KEPT_TYPES = 64;

/** Made for the types that texts name, when they do. */
export function profileProperties(schema: OntologySchema, stem: Stem): PropertyProfiles {
  const declared = new Map(schema.nodeTypes.map(({ name, properties }) => [name, properties]));
  const kept = createRecentMap<string, readonly PropertyProfile[]>(MAX_KEPT_TYPES);
  return {
    isEmpty: [...declared.values()].every((properties) => properties.length === 0),
    of: (nodeType) =>
      kept.getOrMake(nodeType, () =>
        (declared.get(nodeType) ?? []).flatMap((name) => profileProperty(nodeType, name, stem) ?? []),
      ),
  };
}

function profileProperty(nodeType: string, name: string, stem: Stem): PropertyProfile | null {
  const words = wordsOfName(name).split(" ");
  const kind = kindOf(words);
  const telling = tellingWords(words, kind);
  if (telling.length === 0 || telling.join(" ") === "name") return null;
  const others = synonyms.find((row) => telling.length === 1 && row.includes(telling[0] ?? "")) ?? [];
  const forms = [telling, ...others.map((other) => [other])].map((form) => stemsOf(form, stem));
  return { nodeType, name, kind, forms: forms.filter((form, at) => isFirst(forms, form, at)) };
}

function kindOf(words: readonly string[]): PropertyKind {
  const [only, ...more] = words;
  if (words.some((word) => /^(?:date|year|day|datetime|timestamp)$/.test(word))) return "date";
  if (more.length === 0 && only !== undefined && participle.test(only)) return "date";
  const isNumber =
    words.some((word) => numeric.has(word)) ||
    words.some((word) => /^(?:number|count|amount|quantity)$/.test(word));
  return isNumber ? "number" : "text";
}

/** The words that tell this property from others. */
export function tellingWords(words: readonly string[], kind: PropertyKind): readonly string[] {
  const generic = kind === "date" ? dateWords : kind === "number" ? numberWords : fillers;
  return words.filter((word) => word !== "" && !generic.has(word) && !fillers.has(word));
}

/** Sorted, so that "date of birth" is "birth date". */
export function stemsOf(words: readonly string[], stem: Stem): readonly string[] {
  return words.map((word) => stem(word)).sort();
}

function isFirst(forms: readonly (readonly string[])[], form: readonly string[], at: number): boolean {
  return forms.findIndex((other) => other.join(" ") === form.join(" ")) === at;
}

export function createPropertyStem(): Stem {
  return createTriggerStem();
}
