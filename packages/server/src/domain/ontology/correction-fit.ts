/** How many corrections of a graph an ontology leaves without effect, because it lacks what they name. */
import type { CorrectionChange, CorrectionKind, NamedEntity } from "../correction.ts";
import {
  NOTHING_RENAMED,
  nameNow,
  type RenamedType,
  type RenamedTypes,
  type TypeNames,
} from "../renamed-types.ts";
import { createFactCheck } from "./allowed-facts.ts";
import type { OntologySchema } from "./types.ts";

/** What a correction says, by types alone, as it was made. */
export interface CorrectionTypes {
  readonly kind: CorrectionKind;
  /** Of its entities, the types of all their names. */
  readonly entities: readonly (readonly string[])[];
  /** The edge type that it adds or judges. */
  readonly edgeType?: string;
  /** The property that it adds. */
  readonly property?: string;
  /** The type that it gives the entity. */
  readonly gives?: string;
  /** The types of the entities that its ends are taken for, where these are others; absent: they are taken for none. */
  readonly taken?: readonly [source: string | null, target: string | null];
  /** What its types are called now; absent: the same. */
  readonly renamed?: RenamedTypes;
}

export interface CorrectionFit {
  readonly kind: CorrectionKind;
  readonly corrections: number;
  readonly withoutEffect: number;
}

export function typesOfCorrection(change: CorrectionChange): CorrectionTypes {
  const { kind } = change;
  switch (kind) {
    case "retype":
      return { kind, entities: [typesOf(change.entity)], gives: change.type };
    case "merge":
    case "split":
      return { kind, entities: [typesOf(change.entity)], gives: change.into.type };
    case "add_property":
      return { kind, entities: [typesOf(change.entity)], property: change.property };
    case "rename":
    case "remove_property":
      return { kind, entities: [typesOf(change.entity)] };
    case "confirm": {
      const { source, target, sourceType = source.type, targetType = target.type } = change;
      const entities = [typesOf(source), typesOf(target)];
      return {
        kind,
        entities,
        edgeType: change.type,
        taken: [
          sourceType === source.type ? null : sourceType,
          targetType === target.type ? null : targetType,
        ],
      };
    }
    default:
      return { kind, entities: [typesOf(change.source), typesOf(change.target)], edgeType: change.type };
  }
}

function typesOf({ type, also }: NamedEntity): readonly string[] {
  return [...new Set([type, ...also.map((other) => other.type)])];
}

/** By kind, in the order of their first corrections, under the names that the ontology has for their types. Linear in the types that the corrections name. */
export function fitCorrections(
  schema: OntologySchema,
  corrections: readonly CorrectionTypes[],
  move: TypeNames = { nodes: [], edges: [] },
): readonly CorrectionFit[] {
  const names = { nodes: new Map(move.nodes), edges: new Map(move.edges) };
  const { allowsEnd, allowsType } = createFactCheck(schema);
  const properties = new Map(schema.nodeTypes.map(({ name, properties: own }) => [name, own]));
  const hasEffect = (given: CorrectionTypes) => {
    const { renamed = NOTHING_RENAMED, property } = given;
    const nameNode = namer(names.nodes, renamed.nodes);
    const earlier = new Map(renamed.nodes.map((each) => [each.given, [each.now, ...each.before]]));
    // A name of before one of the last moves is that of an entity again where the ontology has it.
    const allNames = (type: string) => [nameNode(type), ...(earlier.get(type) ?? [])];
    const [ofSource = [], ofTarget = []] = given.entities.map((types) => types.flatMap(allNames));
    const gives = given.gives === undefined ? undefined : nameNode(given.gives);
    const edgeType =
      given.edgeType === undefined ? undefined : namer(names.edges, renamed.edges)(given.edgeType);
    if (gives !== undefined && !allowsType(gives)) return false;
    if (edgeType === undefined)
      return ofSource.some((type) =>
        property === undefined ? allowsType(type) : properties.get(type)?.includes(property),
      );
    const [source, target] = given.taken ?? [null, null];
    return (
      ofSource.some((type) => allowsEnd(edgeType, "source", type)) &&
      ofTarget.some((type) => allowsEnd(edgeType, "target", type)) &&
      (source === null || allowsEnd(edgeType, "source", nameNode(source))) &&
      (target === null || allowsEnd(edgeType, "target", nameNode(target)))
    );
  };
  return [...Map.groupBy(corrections, ({ kind }) => kind)].map(([kind, all]) => ({
    ...{ kind, corrections: all.length },
    withoutEffect: all.filter((each) => !hasEffect(each)).length,
  }));
}

function namer(
  names: ReadonlyMap<string, string>,
  renamed: readonly RenamedType[],
): (given: string) => string {
  const known = new Map(renamed.map(({ given, now }) => [given, now]));
  return (given) => nameNow(names, { given, now: known.get(given) ?? given });
}
