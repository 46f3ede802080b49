/** Compares a suggested schema with what a use case names. */

export interface Case {
  readonly half: "tune" | "report";
  readonly domain: string;
  readonly usecase: string;
  /** Each a list of names that are right alike. */
  readonly types: readonly (readonly string[])[];
  readonly mayHave: readonly string[];
  readonly edges: readonly {
    readonly source: readonly string[];
    /** Parts of names, in small letters. */
    readonly name: readonly string[];
    readonly target: readonly string[];
  }[];
  /** By types' names, "A|B". */
  readonly properties: Readonly<Record<string, readonly string[]>>;
}

export interface SuggestedSchema {
  readonly ontology: {
    readonly hierarchy: readonly {
      readonly level: number;
      readonly node_types: Readonly<
        Record<string, { readonly properties: readonly string[]; readonly aggregates?: readonly string[] }>
      >;
    }[];
    readonly edge_types: readonly {
      readonly name: string;
      readonly source_types: readonly string[];
      readonly target_types: readonly string[];
      readonly temporal: boolean;
    }[];
  };
}

export interface Counts {
  readonly typesWanted: number;
  readonly typesFound: number;
  readonly typesSuggested: number;
  readonly typesRight: number;
  readonly edgesWanted: number;
  /** With the right ends in the right direction and a fitting name. */
  readonly edgesFound: number;
  readonly edgesSuggested: number;
  /** Joining two types that the text joins. */
  readonly edgesRight: number;
  readonly propertiesWanted: number;
  readonly propertiesFound: number;
}

export function judge(wanted: Case, schema: SuggestedSchema) {
  const nodeTypes = schema.ontology.hierarchy.flatMap(({ node_types }) => Object.entries(node_types));
  const names = nodeTypes.map(([name]) => name);
  const edges = schema.ontology.edge_types;
  const isNamed = (name: string) => wanted.types.some((alike) => alike.includes(name));
  const judgedNames = names.filter((name) => isNamed(name) || !wanted.mayHave.includes(name));
  const missing = wanted.types.filter((alike) => !alike.some((name) => names.includes(name)));
  const lost = wanted.edges.filter((edge) => !edges.some((found) => fits(edge, found)));
  const properties = Object.entries(wanted.properties).flatMap(([owners, all]) =>
    all.map((property) => ({ owners: owners.split("|"), property })),
  );
  const lacking = properties.filter(
    ({ owners, property }) =>
      !nodeTypes.some(([name, type]) => owners.includes(name) && type.properties.includes(property)),
  );
  const joins = (edge: SuggestedSchema["ontology"]["edge_types"][number]) =>
    wanted.edges.some(
      ({ source, target }) =>
        (meets(source, edge.source_types) && meets(target, edge.target_types)) ||
        (meets(target, edge.source_types) && meets(source, edge.target_types)),
    );
  const counts: Counts = {
    typesWanted: wanted.types.length,
    typesFound: wanted.types.length - missing.length,
    typesSuggested: judgedNames.length,
    typesRight: judgedNames.filter(isNamed).length,
    edgesWanted: wanted.edges.length,
    edgesFound: wanted.edges.length - lost.length,
    edgesSuggested: edges.length,
    edgesRight: edges.filter(joins).length,
    propertiesWanted: properties.length,
    propertiesFound: properties.length - lacking.length,
  };
  const view = {
    missing: missing.map((alike) => alike.join("|")),
    wrong: judgedNames.filter((name) => !isNamed(name)),
    lostEdges: lost.map(({ source, name, target }) => `${source[0]} ${name[0]} ${target[0]}`),
    otherEdges: edges.filter((edge) => !joins(edge)).map(show),
    lacking: lacking.map(({ owners, property }) => `${owners[0]}.${property}`),
  };
  return { counts, view };
}

function fits(
  wanted: Case["edges"][number],
  found: SuggestedSchema["ontology"]["edge_types"][number],
): boolean {
  const joins = (sources: readonly string[], targets: readonly string[]) =>
    meets(wanted.source, sources) && meets(wanted.target, targets);
  // RESOLVED_BY says of an incident and an engineer what RESOLVES says of the engineer and the incident.
  const isInverse = /_BY$/.test(found.name) && joins(found.target_types, found.source_types);
  if (!isInverse && !joins(found.source_types, found.target_types)) return false;
  return wanted.name.some((part) => found.name.toLowerCase().includes(part));
}

function meets(alike: readonly string[], names: readonly string[]): boolean {
  return alike.some((name) => names.includes(name));
}

function show(edge: SuggestedSchema["ontology"]["edge_types"][number]): string {
  return `${edge.source_types.join("/")} ${edge.name} ${edge.target_types.join("/")}`;
}

/** Shares in percent: what was named and found, and of what was suggested what was named. */
export function sum(all: readonly Counts[]) {
  const total = (key: keyof Counts) => all.reduce((count, each) => count + each[key], 0);
  const percent = (part: keyof Counts, whole: keyof Counts) =>
    Math.round((1000 * total(part)) / Math.max(1, total(whole))) / 10;
  return {
    cases: all.length,
    typeRecall: percent("typesFound", "typesWanted"),
    typePrecision: percent("typesRight", "typesSuggested"),
    edgeRecall: percent("edgesFound", "edgesWanted"),
    edgePrecision: percent("edgesRight", "edgesSuggested"),
    propertyRecall: percent("propertiesFound", "propertiesWanted"),
  };
}
