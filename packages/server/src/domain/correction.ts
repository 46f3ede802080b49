/**
 * What people correct in a graph. A correction is a record that is laid over the evidence: it says what the facts of texts are taken for,
 * and changes no text and no fact. It names things by type and name, and texts by document and sentence, so that it means the same after
 * every document was ingested again.
 */
import type { EntityKey } from "./graph.ts";
import type { Validity } from "./validity.ts";

/** A name as written, with its type. */
export interface TypedName {
  readonly type: string;
  readonly name: string;
}

/** An entity by one of its names. */
export interface NamedEntity extends TypedName {
  /** Its other names, which the correction is of, too. */
  readonly also: readonly TypedName[];
}

export type CorrectionChange =
  | { readonly kind: "rename"; readonly entity: NamedEntity; readonly name: string }
  | { readonly kind: "retype"; readonly entity: NamedEntity; readonly type: string }
  | { readonly kind: "merge"; readonly entity: NamedEntity; readonly into: TypedName }
  /** What these documents say of the entity is of another one. */
  | {
      readonly kind: "split";
      readonly entity: NamedEntity;
      readonly documents: readonly string[];
      readonly into: TypedName;
    }
  | {
      readonly kind: "add_property";
      readonly entity: NamedEntity;
      readonly property: string;
      readonly value: string;
    }
  /** Without a value: all values of the property. */
  | {
      readonly kind: "remove_property";
      readonly entity: NamedEntity;
      readonly property: string;
      readonly value: string | null;
    }
  /** Without times: also those that were made before additions had some. */
  | (Partial<Validity> & {
      readonly kind: "add_relationship";
      readonly source: NamedEntity;
      readonly type: string;
      readonly target: NamedEntity;
    })
  | Verdict;

/** On a relationship as a sentence of a document states it; null: whatever the document or the sentence is. */
interface VerdictOn {
  readonly source: NamedEntity;
  readonly type: string;
  readonly target: NamedEntity;
  readonly document: string | null;
  readonly sentence: string | null;
}

export type Verdict =
  | (VerdictOn & { readonly kind: "reject" })
  | (VerdictOn & {
      readonly kind: "confirm";
      /** Of the entities that the ends of proposals are taken for; absent: their own types. */
      readonly sourceType?: string;
      readonly targetType?: string;
    });

export type CorrectionKind = CorrectionChange["kind"];

export interface Correction {
  readonly correctionId: string;
  readonly projectId: string;
  readonly change: CorrectionChange;
  readonly reason: string | null;
  readonly accountId: string;
  /** The id of the API key that it was made with; null: in a session of the dashboard. */
  readonly keyId: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A correction with what it does at present. Counts end at 1,000. */
export interface ListedCorrection extends Correction {
  /** Chunks whose facts it changes; of an addition 1 while it is in the graph. 0: it has no evidence now. */
  readonly chunks: number;
  /** Of these, chunks of texts that were ingested after it was made. */
  readonly laterChunks: number;
}

/** Of a project. What one entity has of them is followed in one transaction. */
export const MAX_CORRECTIONS = 1_000;
/** Of all of a project: they are read whole in each step in which the graph follows one of them. */
export const MAX_CORRECTION_BYTES = 2 * 1024 * 1024;
/** Of all corrections of a project: what one step and one look-up go through. */
export const MAX_CORRECTION_NAMES = 3_000;
/** Of the names in a request, which the main thread brings into their normal form. */
export const MAX_NAME_CHARACTERS = 100_000;
/** Names of one entity. */
export const MAX_NAMES = 64;

/** What a correction does to facts, by normal forms. Corrections are applied in the order in which they were made. */
export type CorrectionRule =
  | NameRule
  | {
      readonly kind: "property";
      readonly names: readonly EntityKey[];
      readonly property: string;
      readonly value: string | null;
    }
  | VerdictRule
  | Addition;

/** These names stand for another one. */
export interface NameRule {
  readonly kind: "name";
  readonly names: readonly EntityKey[];
  /** key null: each name keeps its normal form. */
  readonly to: { readonly type: string; readonly key: string | null };
  /** After moves: what names of a type get in documents of the ontologies that have it, the newest first; absent: the type `to`. */
  readonly given?: readonly { readonly type: string; readonly to: readonly string[] }[];
  /** What the type `to` was called before each of the last moves, the newest first, then as the correction was made; absent: the same. */
  readonly earlierTo?: readonly string[];
  /** The name under which the entity is shown. */
  readonly shown: string;
  /** Only in these documents; null: in all. */
  readonly documents: readonly string[] | null;
}

export interface VerdictRule {
  readonly kind: "reject" | "confirm";
  readonly sources: readonly EntityKey[];
  readonly type: string;
  /** What documents that were read before a move may call the type; absent: the same. */
  readonly earlierTypes?: readonly string[];
  readonly targets: readonly EntityKey[];
  readonly document: string | null;
  /** With single spaces. */
  readonly sentence: string | null;
  /** What an end of a proposal becomes that is confirmed as that of an entity of another type; absent: it stays. */
  readonly sourceAs?: NameRule;
  readonly targetAs?: NameRule;
}

/** Of what no text states. It is in the graph as long as texts mention each end by one of its names. */
export type Addition =
  | {
      readonly kind: "add_property";
      readonly names: readonly EntityKey[];
      readonly property: string;
      readonly value: string;
    }
  | (Partial<Validity> & {
      readonly kind: "add_relationship";
      readonly sources: readonly EntityKey[];
      readonly type: string;
      readonly targets: readonly EntityKey[];
    });

/** `normalize` gives the normal form of a name. */
export function ruleOf(change: CorrectionChange, normalize: (name: string) => string): CorrectionRule {
  const keyOf = ({ type, name }: TypedName): EntityKey => ({ type, key: normalize(name) });
  const namesOf = (entity: NamedEntity): readonly EntityKey[] => {
    const names = [entity, ...entity.also].map(keyOf);
    return [...new Map(names.map((name) => [`${name.type}\n${name.key}`, name])).values()];
  };
  switch (change.kind) {
    case "rename":
      return {
        kind: "name",
        names: namesOf(change.entity),
        to: keyOf({ type: change.entity.type, name: change.name }),
        shown: change.name,
        documents: null,
      };
    case "retype":
      return {
        kind: "name",
        names: namesOf(change.entity),
        to: { type: change.type, key: null },
        shown: change.entity.name,
        documents: null,
      };
    case "merge":
    case "split":
      return {
        kind: "name",
        names: namesOf(change.entity),
        to: keyOf(change.into),
        shown: change.into.name,
        documents: change.kind === "split" ? change.documents : null,
      };
    case "remove_property":
      return {
        kind: "property",
        names: namesOf(change.entity),
        property: change.property,
        value: change.value,
      };
    case "add_property": {
      const { kind, property, value } = change;
      return { kind, names: namesOf(change.entity), property, value };
    }
    case "add_relationship":
    case "reject":
    case "confirm": {
      const ends = { sources: namesOf(change.source), targets: namesOf(change.target), type: change.type };
      if (change.kind === "add_relationship") {
        const { kind, validFrom = null, validTo = null } = change;
        return { kind, ...ends, validFrom, validTo };
      }
      return ruleOfVerdict(change, ends, namesOf);
    }
  }
}

function ruleOfVerdict(
  change: Verdict,
  ends: Pick<VerdictRule, "sources" | "type" | "targets">,
  namesOf: (entity: NamedEntity) => readonly EntityKey[],
): VerdictRule {
  const { kind, document, sentence } = change;
  const rule = { kind, ...ends, document, sentence: sentence === null ? null : oneLine(sentence) };
  if (change.kind === "reject") return rule;
  const asOf = (end: NamedEntity, type = end.type): NameRule | null => {
    if (type === end.type) return null;
    const names = namesOf(end).filter((name) => name.type === end.type);
    return { kind: "name", names, to: { type, key: null }, shown: end.name, documents: null };
  };
  const sourceAs = asOf(change.source, change.sourceType);
  const targetAs = asOf(change.target, change.targetType);
  return { ...rule, ...(sourceAs !== null && { sourceAs }), ...(targetAs !== null && { targetAs }) };
}

/** The name that the rule gives to one of its names, in a document since whose reading the project was moved so often; null: nobody knows. */
export function targetOf(rule: NameRule, { type, key }: EntityKey, moves: number | null = 0): EntityKey {
  const { to, given = [], earlierTo = [] } = rule;
  const isKnown = moves !== null && moves > 0 && moves < earlierTo.length;
  const then = isKnown ? earlierTo[moves - 1] : undefined;
  // What was read before the moves that are known, or before moves were counted, is told by its types.
  const own = then ?? given.find((each) => each.type === type)?.to[0] ?? to.type;
  return { type: own, key: to.key ?? key };
}

/** The name that the rule gives to one of its names, then those by which documents that were read before a move may have what it became. */
export function targetsOf(rule: NameRule, name: EntityKey): readonly EntityKey[] {
  const { to, given = [] } = rule;
  const types = given.find(({ type }) => type === name.type)?.to ?? [to.type];
  return types.map((type) => ({ type, key: to.key ?? name.key }));
}

export function isOfType(rule: VerdictRule, type: string): boolean {
  return type === rule.type || rule.earlierTypes?.includes(type) === true;
}

/** The names of its ends, also those that they get. */
export function namesOfEnds(rule: Extract<CorrectionRule, { readonly type: string }>): {
  readonly sources: readonly EntityKey[];
  readonly targets: readonly EntityKey[];
} {
  if (rule.kind === "add_relationship") return { sources: rule.sources, targets: rule.targets };
  const given = (as?: NameRule) => as?.names.flatMap((name) => targetsOf(as, name)) ?? [];
  return {
    sources: [...rule.sources, ...given(rule.sourceAs)],
    targets: [...rule.targets, ...given(rule.targetAs)],
  };
}

/** How many names facts are compared with. */
export function countNames(rule: CorrectionRule): number {
  return "sources" in rule ? rule.sources.length + rule.targets.length : rule.names.length;
}

/** The same for a sentence however its text is broken into lines. */
export function oneLine(text: string): string {
  return text.split(/\s/u).filter(Boolean).join(" ");
}
