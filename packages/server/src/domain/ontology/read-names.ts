/**
 * Renamed types. Texts are read under the name that a type had when it was made (`readAs`), and what is found is of the type's present name: so a
 * renamed type keeps what it had, whatever its new name would say to a reader.
 */
import type { ChunkFacts, EntityKey } from "../graph.ts";
import type { BoundOntology } from "../ontology.ts";
import { parseOntology } from "../ontology-schema.ts";
import { createRecentMap } from "../recent-map.ts";
import { nameKey } from "./fields.ts";
import type { OntologySchema } from "./types.ts";
import { writeSchema } from "./write-schema.ts";

export interface ReadingNames {
  /** As it is read: each type has the name that texts are read under. */
  readonly ontology: BoundOntology;
  /** The facts by the names that the types have. */
  present(facts: ChunkFacts): ChunkFacts;
}

interface Named {
  readonly name: string;
  readonly readAs?: string;
}

type Rename = (name: string) => string;

/** The name that a text is read under. One that another type has, or has before it, is not taken. By the names of the types. */
export function readingNames(types: readonly Named[]): ReadonlyMap<string, string> {
  const taken = new Set(types.map(({ name }) => nameKey(name)));
  const names = types.flatMap(({ name, readAs }): readonly (readonly [string, string])[] => {
    if (readAs === undefined || readAs === name) return [];
    const key = nameKey(readAs);
    if (taken.has(key) && key !== nameKey(name)) return [];
    taken.add(key);
    return [[name, readAs]];
  });
  return new Map(names);
}

/** A schema may have megabytes, and each claim of jobs asks. */
const MAX_KEPT = 8;

/** Of an ontology, of which a version never changes. */
export type FindReadingNames = (ontology: BoundOntology) => ReadingNames;

/** Keeps those that were asked for last. */
export function createReadingNames(): FindReadingNames {
  const kept = createRecentMap<string, ReadingNames>(MAX_KEPT);
  return (ontology) => kept.getOrMake(ontology.ontologyId, () => makeReadingNames(ontology));
}

/** Linear in the schema; texts without `read_as` are not parsed. */
function makeReadingNames(ontology: BoundOntology): ReadingNames {
  const asItIs = { ontology, present: (facts: ChunkFacts) => facts };
  // An escape may write the member in another way.
  if (!/read_as|\\u/.test(ontology.schemaJson)) return asItIs;
  const schema = parseOntology(ontology.schemaJson);
  const [nodes, edges] = [readingNames(schema.nodeTypes), readingNames(schema.edgeTypes)];
  if (nodes.size + edges.size === 0) return asItIs;
  return {
    ontology: { ...ontology, schemaJson: writeSchema(withNames(schema, renamer(nodes), renamer(edges))) },
    present: (facts) => withPresentNames(facts, renamer(swapped(nodes)), renamer(swapped(edges))),
  };
}

function renamer(names: ReadonlyMap<string, string>): Rename {
  return (name) => names.get(name) ?? name;
}

function swapped(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names].map(([name, readAs]) => [readAs, name]));
}

function withNames(schema: OntologySchema, node: Rename, edge: Rename): OntologySchema {
  return {
    ...schema,
    nodeTypes: schema.nodeTypes.map(({ readAs: _, ...type }) => ({
      ...type,
      name: node(type.name),
      aggregates: type.aggregates.map(node),
    })),
    edgeTypes: schema.edgeTypes.map(({ readAs: _, ...type }) => ({
      ...type,
      name: edge(type.name),
      sourceTypes: type.sourceTypes.map(node),
      targetTypes: type.targetTypes.map(node),
    })),
  };
}

function withPresentNames(facts: ChunkFacts, node: Rename, edge: Rename): ChunkFacts {
  const typed = <Key extends EntityKey>(key: Key): Key => ({ ...key, type: node(key.type) });
  const related = <One extends { type: string; source: EntityKey; target: EntityKey }>(one: One): One => ({
    ...one,
    ...{ type: edge(one.type), source: typed(one.source), target: typed(one.target) },
  });
  const { members, proposals } = facts;
  return {
    ...facts,
    entities: facts.entities.map(typed),
    relationships: facts.relationships.map(related),
    properties: facts.properties.map((each) => ({ ...each, entity: typed(each.entity) })),
    aliases: facts.aliases.map(typed),
    candidates: facts.candidates.map(typed),
    ...(members === undefined
      ? {}
      : {
          members: members.map((each) => ({
            ...each,
            parent: typed(each.parent),
            member: typed(each.member),
          })),
        }),
    ...(proposals === undefined ? {} : { proposals: proposals.map(related) }),
    unfit: facts.unfit.map((each) =>
      each.kind === "relationship"
        ? { ...each, sourceType: node(each.sourceType), targetType: node(each.targetType) }
        : each,
    ),
  };
}
