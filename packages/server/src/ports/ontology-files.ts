/** Ontologies in formats of others. */
import type { OntologySchema } from "../domain/ontology/types.ts";
import type { CheckedSchema } from "../domain/ontology-check.ts";
import { withoutMiddle } from "../domain/without-middle.ts";

export const ONTOLOGY_FORMATS = ["turtle", "rdfxml", "json-schema", "neo4j", "linkml"] as const;
export type OntologyFormat = (typeof ONTOLOGY_FORMATS)[number];

/** A part of a file that an ontology has no place for. */
export interface LeftOut {
  /** What it is, as the file names it. */
  readonly item: string;
  readonly reason: string;
}

export interface ReadOntologyFile {
  /** null: the file has none. */
  readonly name: string | null;
  /** JSON text of a schema, which may have faults: names of the file need not be names of types. */
  readonly schemaJson: string;
  readonly leftOut: readonly LeftOut[];
}

export interface OntologyToWrite {
  readonly format: OntologyFormat;
  readonly name: string;
  readonly schemaJson: string;
}

export type CheckedOntologyFile = ReadOntologyFile & CheckedSchema;

/** As somebody sends it. */
export interface SentOntologyFile extends ReadOntologyFile, CheckedSchema {
  /** Instead of the name in the file. */
  readonly givenName: string | undefined;
}

export interface OntologyFiles {
  /** @throws OntologyFileError for a text that is not of the format */
  read(format: OntologyFormat, text: string): ReadOntologyFile;
  /** UTF-8. Reading it again gives the same types. @throws OntologyFileError for an ontology whose file would be too large */
  write(
    format: OntologyFormat,
    ontology: { readonly name: string; readonly schema: OntologySchema },
  ): Uint8Array<ArrayBuffer>;
}

/** Parsers quote what they do not expect, which may be all of the file, and name the line behind it. */
const SHOWN = { start: 200, end: 60 } as const;

/** Its message says what is wrong, in which line where that is known. */
export class OntologyFileError extends Error {
  constructor(message: string, cause?: unknown) {
    super(withoutMiddle(message, SHOWN), { cause });
    this.name = "OntologyFileError";
  }
}
