/** What a correction must be like, beside its form: names with letters or digits, and what the project's ontology allows. */
import { errors } from "../domain/errors.ts";
import { createTypeFinder } from "../domain/ontology/compare.ts";
import { checkFact, hasNodeType, type OntologySchema, parseOntology } from "../domain/ontology-schema.ts";
import type { TypeNames } from "../domain/renamed-types.ts";
import { END_OF_PERIOD, type Validity } from "../domain/validity.ts";
import { normalizeName } from "../engine/text/names/normal-form.ts";
import { entitiesOf, type GivenCorrection } from "./given-correction.ts";

/** Longer texts are no names of the graph. */
const MAX_KEY_CHARACTERS = 300;
const CONTROL = /\p{Cc}/u;

export interface CorrectionsToCheck {
  readonly corrections: readonly GivenCorrection[];
  /** Of the project's graph, which may have some of an earlier ontology. */
  readonly graphTypes: { readonly nodes: readonly string[]; readonly edges: readonly string[] };
}

/**
 * `schemaJson`: of the project's ontology; null without one. Returns what the ontology calls types that it has for aliases alone, as documents have
 * them that were not read again.
 * @throws ServiceError `invalid_input`
 */
export function checkCorrections(
  { corrections, graphTypes }: CorrectionsToCheck,
  schemaJson: string | null,
): TypeNames {
  // Once: a large one takes hundreds of milliseconds.
  const schema = schemaJson === null ? null : parseOntology(schemaJson);
  for (const [at, given] of corrections.entries()) checkCorrection(given, `corrections[${at}]`, schema);
  if (schema === null) return { nodes: [], edges: [] };
  const named = corrections.flatMap((given) => entitiesOf(given).flatMap(typesOf));
  const judged = corrections.flatMap((given) => ("source" in given ? [given.type] : []));
  return {
    nodes: aliasesOf(schema.nodeTypes, [...graphTypes.nodes, ...named]),
    edges: aliasesOf(schema.edgeTypes, [...graphTypes.edges, ...judged]),
  };
}

function typesOf({ type, also = [] }: ReturnType<typeof entitiesOf>[number]): readonly string[] {
  return [type, ...also.map((other) => other.type)];
}

function aliasesOf(
  known: readonly {
    readonly name: string;
    readonly aliases: readonly string[];
    readonly readAs?: string;
  }[],
  types: readonly string[],
): TypeNames["nodes"] {
  const find = createTypeFinder([], known);
  return [...new Set(types)].flatMap((type) => {
    const name = find(type)?.name ?? type;
    return name === type ? [] : [[type, name] as const];
  });
}

function checkCorrection(given: GivenCorrection, path: string, schema: OntologySchema | null): void {
  const refuse = (member: string, what: string) => {
    throw errors.invalidInput(`${path}.${member}: ${what}`);
  };
  for (const [member, name] of namesIn(given))
    refuseName(normalizeName(name), (what) => refuse(member, what));
  for (const [member, text] of wordsIn(given))
    if (CONTROL.test(text)) refuse(member, "has a control character, expected none");
  if (given.kind === "add_relationship" && isReversed(given))
    refuse("valid_to", `got ${JSON.stringify(given.validTo)}, expected a time that is not before valid_from`);
  if (schema === null) return;
  const type = newTypeOf(given);
  if (type !== null && !hasNodeType(schema, type))
    refuse(
      given.kind === "retype" ? "type" : "into.type",
      `got ${JSON.stringify(type)}, expected a node type of the ontology`,
    );
  if (given.kind === "add_property" && !hasProperty(schema, given.entity.type, given.property))
    refuse(
      "property",
      `got ${JSON.stringify(given.property)}, expected a property of ${given.entity.type} in the ontology`,
    );
  if (given.kind !== "add_relationship") return;
  const fact = { type: given.type, sourceType: given.source.type, targetType: given.target.type };
  const fit = checkFact(schema, fact);
  if (fit !== "fits")
    refuse("type", `the ontology does not allow ${fact.sourceType} ${fact.type} ${fact.targetType} (${fit})`);
}

function isReversed({ validFrom = null, validTo = null }: Partial<Validity>): boolean {
  return validFrom !== null && validTo !== null && `${validTo}${END_OF_PERIOD}` < validFrom;
}

/** The normal form is a key of the database. */
function refuseName(normalForm: string, refuse: (what: string) => void): void {
  if (normalForm === "") refuse("has no letter and no digit, expected a name");
  if (normalForm.length > MAX_KEY_CHARACTERS)
    refuse(`is too long, expected a name with a normal form of at most ${MAX_KEY_CHARACTERS} characters`);
}

function namesIn(given: GivenCorrection): readonly (readonly [member: string, name: string])[] {
  const entities = entitiesOf(given).flatMap(({ name, also = [] }) => [
    name,
    ...also.map((other) => other.name),
  ]);
  return [
    ...entities.map((name) => ["name", name] as const),
    ...(given.kind === "rename" ? [["name", given.name] as const] : []),
    ...("into" in given ? [["into.name", given.into.name] as const] : []),
  ];
}

/** Texts that become keys of the database as they are. */
function wordsIn(given: GivenCorrection): readonly (readonly [member: string, text: string])[] {
  const types = entitiesOf(given).flatMap(typesOf);
  return [
    ...types.map((type) => ["type", type] as const),
    ...("type" in given ? [["type", given.type] as const] : []),
    ...("into" in given ? [["into.type", given.into.type] as const] : []),
    ...(given.kind === "rename" ? [["name", given.name] as const] : []),
    ...("into" in given ? [["into.name", given.into.name] as const] : []),
    ...("sourceType" in given ? [["source_type", given.sourceType ?? ""] as const] : []),
    ...("targetType" in given ? [["target_type", given.targetType ?? ""] as const] : []),
    ...("property" in given ? [["property", given.property] as const] : []),
    ...("value" in given && given.value !== null ? [["value", given.value] as const] : []),
    ...entitiesOf(given).map(({ name }) => ["name", name] as const),
  ];
}

function newTypeOf(given: GivenCorrection): string | null {
  if (given.kind === "retype") return given.type;
  return "into" in given ? given.into.type : null;
}

function hasProperty({ nodeTypes }: OntologySchema, type: string, property: string): boolean {
  return nodeTypes.some(({ name, properties }) => name === type && properties.includes(property));
}
