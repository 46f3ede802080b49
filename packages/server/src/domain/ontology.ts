/** An ontology as it was sent; `schemaJson` is the JSON text itself, so that nothing of it is lost. */
export interface Ontology {
  readonly ontologyId: string;
  readonly accountId: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly schemaJson: string;
}

/** What a project's graph is held to. */
export interface BoundOntology {
  readonly ontologyId: string;
  readonly schemaJson: string;
}

export type OntologySummary = Omit<Ontology, "schemaJson">;

/** An ontology that is proposed and not stored. */
export interface Suggestion {
  readonly name: string;
  /** JSON text of a schema without faults. */
  readonly schemaJson: string;
}
