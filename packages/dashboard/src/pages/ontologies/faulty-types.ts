/** Which types the faults of a schema are about, by the places that the service names. */
export interface FaultyTypes {
  /** By name. */
  readonly nodes: ReadonlyMap<string, string>;
  /** By their place in the schema. */
  readonly edges: ReadonlyMap<number, string>;
}

const edgePlace = /^schema\.ontology\.edge_types\[(\d{1,6})\]/;
const nodePlace =
  /^schema\.ontology\.hierarchy\[\d{1,6}\]\.node_types(?:\.(\w{1,200})|\["([^"\\]{1,200})"\])/;

export function faultyTypes(faults: readonly string[]): FaultyTypes {
  const nodes = new Map<string, string>();
  const edges = new Map<number, string>();
  for (const fault of faults) {
    const edge = edgePlace.exec(fault)?.[1];
    const node = nodePlace.exec(fault);
    const name = node?.[1] ?? node?.[2];
    if (edge !== undefined) edges.set(Number(edge), fault);
    else if (name !== undefined) nodes.set(name, fault);
  }
  return { nodes, edges };
}
