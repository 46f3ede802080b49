/** What the form of a mention says for and against the types of an ontology. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { normalizeName } from "../../../text/names/normal-form.ts";
import { headOf, readableName, singular } from "../../../text/type-names.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import { valueKindOf } from "../relations/edge-profile.ts";
import { wordsOfName } from "../relations/word-forms.ts";
import { ANCHOR_NOUNS } from "../types/anchors.ts";
import { readCountryNames } from "../types/country-names.ts";
import { hasLegalForm } from "./alias-candidates.ts";
import { isNamedAfterEvent } from "./open-types.ts";

/** Shares of the best type from which a mention is an entity. */
export const ENTITY_THRESHOLDS = {
  name: 0.45,
  /** Terms in small letters are a type's only where it asks for them. */
  term: 0.6,
  value: 0.4,
  /** "Calloway Instruments Ltd" for a type of organisations. */
  withLegalForm: 0.3,
  /** Types of a level above 0 gather others: only what is named outright is one of them. */
  upper: 0.85,
  /** Share of all types from which a name is something, if not surely of one type. */
  possible: 0.5,
} as const;

export interface TypeRules {
  /** From which share a mention is an entity of the type. */
  leastShare(mention: EntityMention, type: number, key: string): number;
  /** Whether a mention of this form may be of the type at all. */
  mayBe(mention: EntityMention, type: number, key: string): boolean;
  /** The type of an upper level that the name says outright: "Harl Guild" a Guild. null where none or several do. */
  upperNamed(mention: Pick<EntityMention, "kind">, key: string): number | null;
}

/** Share of a type that the name itself says. */
export const NAMED_OUTRIGHT = 0.9;

/** No country is one. */
const smallerThanCountries =
  /^(?:city|town|village|municipality|settlement|river|lake|mountain|building|street|airport|station)$/;

/** Types by their index in the schema. */
export function createTypeRules({ nodeTypes }: OntologySchema): TypeRules {
  const upperNamed = createUpperNames(nodeTypes);
  const countries = readCountryNames();
  const rules = nodeTypes.map(({ name, level }) => {
    const head = headOf(readableName(name));
    const isOf = (anchor: "group" | "term" | "organization") =>
      ANCHOR_NOUNS.get(anchor)?.includes(head) === true;
    const own = [...ANCHOR_NOUNS.values()].filter((nouns) => nouns.includes(head));
    return {
      head,
      kinds: new Set([head, ...own.flat()]),
      value: valueKindOf(wordsOfName(name)),
      isUpper: level > 0,
      isPeople: isOf("group") || isOf("term"),
      isOrganization: isOf("organization"),
      isClearlyOther:
        own.length > 0 &&
        own.every((nouns) => nouns !== ANCHOR_NOUNS.get("event") && nouns !== ANCHOR_NOUNS.get("work")),
      isSmall: smallerThanCountries.test(head),
    };
  });
  return {
    upperNamed,
    leastShare(mention, type, key) {
      const rule = rules[type];
      if (rule === undefined) return Number.POSITIVE_INFINITY;
      if (mention.kind === "date" || mention.kind === "number") return ENTITY_THRESHOLDS.value;
      if (rule.isUpper) return ENTITY_THRESHOLDS.upper;
      if (rule.isOrganization && (mention.isFirm || hasLegalForm(key)))
        return ENTITY_THRESHOLDS.withLegalForm;
      return mention.kind === "noun" ? ENTITY_THRESHOLDS.term : ENTITY_THRESHOLDS.name;
    },
    mayBe({ kind, isNamed, isFirm }, type, key) {
      const rule = rules[type];
      if (rule === undefined) return false;
      // "American drama film" says what something is, and names no film.
      const last = key.slice(key.lastIndexOf(" ") + 1);
      if (kind === "noun" && (rule.kinds.has(last) || singular(last) === rule.head)) {
        if (!(isNamed && last === rule.head)) return false;
      }
      if (isFirm && rule.isClearlyOther && !rule.isOrganization) return false;
      if (kind === "date" || kind === "number") return rule.value === kind;
      if (rule.value !== "entity") return false;
      if (kind === "demonym") return rule.isPeople;
      // "Battle of Rennweg" is no town, though it names one.
      if (rule.isClearlyOther && isNamedAfterEvent(key)) return false;
      return !(rule.isSmall && countries.has(key));
    },
  };
}

/** By the ontology's examples, else by the last word of a name of several: "the research group" names none. */
function createUpperNames(nodeTypes: OntologySchema["nodeTypes"]): TypeRules["upperNamed"] {
  const heads = new Map<string, number | null>();
  const nouns = new Set<string>();
  const known = new Map<string, number>();
  for (const [type, { name, aliases, examples, level, aggregates }] of nodeTypes.entries()) {
    const isUpper = level > 0 && aggregates.length > 0;
    if (isUpper) for (const example of examples) known.set(normalizeName(example), type);
    const names = [name, ...aliases].map(readableName);
    for (const noun of names) nouns.add(noun);
    for (const head of new Set(names.map(headOf))) {
      heads.set(head, isUpper && !heads.has(head) ? type : null);
    }
  }
  return ({ kind }, key) => {
    const last = key.slice(key.lastIndexOf(" ") + 1);
    const isNone = kind !== "proper" || last === key || nouns.has(key);
    return known.get(key) ?? (isNone ? null : (heads.get(last) ?? null));
  };
}
