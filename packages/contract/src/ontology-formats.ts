/** The formats of files from which ontologies are made, and as which they are exported. For clients, too: it imports nothing. */
export const ontologyFormats = {
  turtle: { title: "Turtle", mediaType: "text/turtle", endings: ["ttl"] },
  rdfxml: { title: "RDF/XML", mediaType: "application/rdf+xml", endings: ["rdf", "owl", "xml"] },
  "json-schema": {
    title: "JSON Schema",
    mediaType: "application/schema+json",
    endings: ["schema.json", "json"],
  },
  neo4j: { title: "Neo4j graph schema", mediaType: "application/json", endings: ["neo4j.json"] },
  linkml: { title: "LinkML", mediaType: "application/yaml", endings: ["linkml.yaml", "yaml", "yml"] },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly title: string;
      readonly mediaType: string;
      /** Of names of files, that of exports first. */
      readonly endings: readonly [string, ...string[]];
    }
  >
>;

export type OntologyFormat = keyof typeof ontologyFormats;

export const ontologyFormatNames = Object.keys(ontologyFormats) as OntologyFormat[]; // The keys of a constant.
