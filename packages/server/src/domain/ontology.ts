/** `schemaJson` is the JSON text as the client sent it, so that members unknown to the service are kept. */
export interface Ontology {
  readonly ontologyId: string;
  readonly accountId: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly schemaJson: string;
}

/** The ontology that restricts a project's graph. */
export interface BoundOntology {
  readonly ontologyId: string;
  readonly schemaJson: string;
}

export type OntologySummary = Omit<Ontology, "schemaJson">;

/** A proposed ontology, which is not stored. */
export interface Suggestion {
  readonly name: string;
  /** JSON text of a schema that passes `checkOntology`. */
  readonly schemaJson: string;
}
