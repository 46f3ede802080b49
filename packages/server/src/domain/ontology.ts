/** `schemaJson` is the JSON text as the client sent it, so that members unknown to the service are kept. */
export interface Ontology {
  readonly ontologyId: string;
  readonly accountId: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly schemaJson: string;
  /** From 1 on. The name and the schema are those of this version. */
  readonly version: number;
}

export interface OntologyVersion {
  readonly version: number;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Number of projects that are bound to it. */
  readonly projects: number;
}

/** Identifies the schema of a version, which never changes. */
export function keyOfVersion({ ontologyId, version }: Pick<Ontology, "ontologyId" | "version">): string {
  return version === 1 ? ontologyId : `${ontologyId}@${version}`;
}

/** The ontology that restricts a project's graph. */
export interface BoundOntology {
  /** The result of `keyOfVersion`. */
  readonly ontologyId: string;
  readonly schemaJson: string;
}

export type OntologySummary = Omit<Ontology, "schemaJson" | "version">;

/** A proposed ontology, which is not stored. */
export interface Suggestion {
  readonly name: string;
  /** JSON text of a schema that passes `checkOntology`. */
  readonly schemaJson: string;
}
