import { OntologyFileError, type OntologyFiles } from "../../ports/ontology-files.ts";
import { addJson, createFileText } from "./file-text.ts";
import { isObject, type Json } from "./json-members.ts";
import { readJsonSchema, toJsonSchema } from "./json-schema.ts";
import { readLinkMl } from "./linkml-read.ts";
import { toLinkMl } from "./linkml-write.ts";
import { readNeo4j, toNeo4j } from "./neo4j.ts";
import { readRdfXml, readTurtle } from "./rdf-parse.ts";
import { readQuads } from "./rdf-read.ts";
import { addRdfXml, addTurtle } from "./rdf-text.ts";
import { quadsOf } from "./rdf-write.ts";
import { addYaml } from "./yaml-text.ts";

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
      case "linkml":
        return readLinkMl(text);
    }
  },

  write(format, ontology) {
    const file = createFileText();
    if (format === "turtle") addTurtle(file, quadsOf(ontology));
    else if (format === "rdfxml") addRdfXml(file, quadsOf(ontology));
    else if (format === "linkml") addYaml(file, toLinkMl(ontology));
    else {
      addJson(file, format === "neo4j" ? toNeo4j(ontology) : toJsonSchema(ontology));
      file.add("\n");
    }
    return file.finish();
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
