/** Finds out which relationship of which types a fact of a reply means, and whether there is a place for it. */
import type { UnfitFact } from "../../../../domain/graph.ts";
import { checkFact, type EdgeType, type Fact } from "../../../../domain/ontology-schema.ts";
import { type OntologyTypes, readOpenType } from "./model-types.ts";
import type { ReplyFact } from "./read-reply.ts";
import type { NamedRelation } from "./relation-names.ts";

/** The types of the ends are those of the fact's own source and target, whichever way the relationship runs. */
export interface MeantFact extends Fact {
  /** The relationship runs from the fact's target to its source. */
  readonly isInverse: boolean;
  /** Whether a source has one target at a time; null for a type without times. */
  readonly isFunctional: boolean | null;
}

export type KindChoice =
  | { readonly meant: MeantFact }
  | { readonly unfit: Pick<UnfitFact, "kind" | "name" | "sourceType" | "targetType"> };

/** What else is known of the types of the fact's ends; null where nothing is. */
export interface EndTypes {
  readonly source: string | null;
  readonly target: string | null;
}

/** A kind's label says the types; an edge type leaves them to the fact's own, then to what else the ends are known for. */
export function chooseOntologyKind(fact: ReplyFact, ends: EndTypes, types: OntologyTypes): KindChoice {
  const { schema, kinds } = types;
  const kind = kinds?.find(({ label }) => label === fact.kind);
  const edge = kind?.edge ?? schema.edgeTypes.find(({ name }) => name === fact.kind);
  const pair =
    kind ??
    (edge === undefined
      ? { sourceType: fact.sourceType ?? ends.source, targetType: fact.targetType ?? ends.target }
      : choosePair(edge, fact, ends));
  const asked: Fact = {
    type: edge?.name ?? fact.kind,
    sourceType: pair.sourceType ?? "",
    targetType: pair.targetType ?? "",
  };
  if (edge !== undefined && checkFact(schema, asked) === "fits")
    return { meant: { ...asked, isInverse: false, isFunctional: edge.temporal ? edge.functional : null } };
  const { type: name, sourceType, targetType } = asked;
  return { unfit: { kind: "relationship", name, sourceType, targetType } };
}

/** A type that is not said is the edge's only one. */
function choosePair({ sourceTypes, targetTypes }: EdgeType, fact: ReplyFact, ends: EndTypes) {
  const only = (types: readonly string[]) => (types.length === 1 ? (types[0] ?? null) : null);
  return {
    sourceType: fact.sourceType ?? ends.source ?? only(sourceTypes),
    targetType: fact.targetType ?? ends.target ?? only(targetTypes),
  };
}

/** A broad type as a reply says it; one that says "none of these" gives way to what else the name is known for. */
export function chooseOpenType(own: string | null, known: string | null): string | null {
  const said = own === null ? null : readOpenType(own);
  return own === null || said === "Term" ? (known ?? said) : said;
}

/** Broad types, and a relationship named by the words of the text. */
export function chooseOpenKind(
  fact: ReplyFact,
  ends: EndTypes,
  nameRelation: (words: string) => NamedRelation | null,
): KindChoice {
  const sourceType = chooseOpenType(fact.sourceType, ends.source);
  const targetType = chooseOpenType(fact.targetType, ends.target);
  const relation = nameRelation(fact.kind);
  if (relation !== null && sourceType !== null && targetType !== null)
    return {
      meant: {
        type: relation.type,
        sourceType,
        targetType,
        isInverse: relation.isInverse,
        isFunctional: null,
      },
    };
  const unknown = { sourceType: fact.sourceType ?? "", targetType: fact.targetType ?? "" };
  return { unfit: { kind: "relationship", name: fact.kind, ...unknown } };
}
