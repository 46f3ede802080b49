import { OntologyFileError, type OntologyFiles } from "../../ports/ontology-files.ts";
import { isObject, type Json } from "./json-members.ts";
import { readJsonSchema, writeJsonSchema } from "./json-schema.ts";
import { readNeo4j, writeNeo4j } from "./neo4j.ts";
import { readRdfXml, readTurtle } from "./rdf-parse.ts";
import { readQuads } from "./rdf-read.ts";
import { writeRdfXml, writeTurtle } from "./rdf-text.ts";
import { quadsOf } from "./rdf-write.ts";

/** Holds its thread for a second or more, so for a thread of its own. */
export const ontologyFiles: OntologyFiles = {
  read(format, text) {
    switch (format) {
      case "turtle":
        return readQuads(readTurtle(text));
      case "rdfxml":
        return readQuads(readRdfXml(text));
      case "json-schema":
        return readJsonSchema(parsed(text));
      case "neo4j":
        return readNeo4j(parsed(text));
    }
  },

  write(format, ontology) {
    switch (format) {
      case "turtle":
        return writeTurtle(quadsOf(ontology));
      case "rdfxml":
        return writeRdfXml(quadsOf(ontology));
      case "json-schema":
        return writeJsonSchema(ontology);
      case "neo4j":
        return writeNeo4j(ontology);
    }
  },
};

/** @throws OntologyFileError */
function parsed(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OntologyFileError(
      `is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
  if (!isObject(value)) throw new OntologyFileError("is not a JSON object");
  return value;
}
