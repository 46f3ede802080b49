/** The names that RDF files use. What OWL, SKOS and SHACL have no name for has one of our own. */
export const PREFIXES = {
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  owl: "http://www.w3.org/2002/07/owl#",
  skos: "http://www.w3.org/2004/02/skos/core#",
  sh: "http://www.w3.org/ns/shacl#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
  kcs: "urn:kcs:vocabulary:",
} as const;

type Prefix = keyof typeof PREFIXES;

/** `rdfs:label` as an IRI. */
export function iri(name: `${Prefix}:${string}`): string {
  const at = name.indexOf(":");
  return PREFIXES[name.slice(0, at) as Prefix] + name.slice(at + 1); // The type of the parameter says so.
}

export const TYPE_BASE = "urn:kcs:type:";
export const EDGE_BASE = "urn:kcs:edge:";
export const PROPERTY_BASE = "urn:kcs:property:";
export const ONTOLOGY_IRI = "urn:kcs:ontology";
