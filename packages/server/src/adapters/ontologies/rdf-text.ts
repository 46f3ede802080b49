/** Turtle and RDF/XML as lists of statements, and back. */
import { Readable } from "node:stream";
import { Parser, type Quad, type Term, Writer } from "n3";
import { RdfXmlParser } from "rdfxml-streaming-parser";
import { OntologyFileError } from "../../ports/ontology-files.ts";
import { PREFIXES } from "./vocabulary.ts";

/** An ontology of 2,000 types with all members has fewer. */
const MAX_QUADS = 500_000;
/** Those of ontologies have ten. */
const MAX_DEPTH = 100;
/** For relative names. */
const BASE = "urn:kcs:file:";

export function readTurtle(text: string): Promise<readonly Quad[]> {
  return limited(() => new Parser({ baseIRI: BASE, format: "text/turtle" }).parse(text));
}

/** Entities are refused before anything is read: a few of them, in each other, make a text of gigabytes. */
export function readRdfXml(text: string): Promise<readonly Quad[]> {
  return limited(async () => {
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
      throw new OntologyFileError("has a document type or entities: write out what they stand for");
    requireShallow(text);
    const quads: Quad[] = [];
    const parser = new RdfXmlParser({ baseIRI: BASE });
    let fault: unknown = null;
    parser.on("error", (error: unknown) => {
      fault ??= error;
    });
    // The parser's terms have the members of those of n3.
    for await (const quad of Readable.from([text]).pipe(parser) as AsyncIterable<Quad>) {
      quads.push(quad);
      if (quads.length > MAX_QUADS) return quads;
    }
    // Private in the library, which does not notice that a text ends too early; a test fails when it is renamed.
    (Reflect.get(parser, "saxParser") as { close(): void }).close();
    if (fault !== null) throw fault;
    return quads;
  });
}

/** The parser looks through all open elements at each one, so that their number counts twice. */
function requireShallow(text: string): void {
  let [depth, end] = [0, -1];
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (end < at) end = text.indexOf(">", at);
    if (end < 0) return; // The parser says what is missing.
    const next = text[at + 1];
    if (next === "/") depth--;
    else if (next !== "!" && next !== "?" && text[end - 1] !== "/") depth++;
    if (depth > MAX_DEPTH) throw new OntologyFileError(`has more than ${MAX_DEPTH} elements in each other`);
  }
}

async function limited(read: () => readonly Quad[] | Promise<readonly Quad[]>): Promise<readonly Quad[]> {
  try {
    const quads = await read();
    if (quads.length > MAX_QUADS) throw new OntologyFileError(`has more than ${MAX_QUADS} statements`);
    return quads;
  } catch (error) {
    if (error instanceof OntologyFileError) throw error;
    throw new OntologyFileError(error instanceof Error ? error.message : String(error), error);
  }
}

export function writeTurtle(quads: readonly Quad[]): string {
  let written = "";
  const writer = new Writer({ prefixes: { ...PREFIXES } });
  writer.addQuads([...quads]);
  writer.end((_error, text) => {
    written = text;
  });
  return written;
}

export function writeRdfXml(quads: readonly Quad[]): string {
  const namespaces = Object.entries(PREFIXES).map(([prefix, iri]) => ` xmlns:${prefix}="${iri}"`);
  const subjects = Map.groupBy(quads, ({ subject }) => `${subject.termType} ${subject.value}`);
  const parts = [...subjects.values()].map((own) => {
    const [first] = own as [Quad, ...Quad[]]; // `Map.groupBy` makes no empty groups.
    const lines = own.map(({ predicate, object }) => `    ${elementOf(predicate.value, object)}\n`);
    const about = first.subject.termType === "BlankNode" ? "rdf:nodeID" : "rdf:about";
    return `  <rdf:Description ${about}="${escaped(first.subject.value)}">\n${lines.join("")}  </rdf:Description>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF${namespaces.join("")}>\n${parts.join("")}</rdf:RDF>\n`;
}

function elementOf(predicate: string, object: Term): string {
  const [prefix = "", namespace = ""] =
    Object.entries(PREFIXES).find(([, iri]) => predicate.startsWith(iri)) ?? [];
  const name = `${prefix}:${predicate.slice(namespace.length)}`;
  if (object.termType === "BlankNode") return `<${name} rdf:nodeID="${escaped(object.value)}"/>`;
  if (object.termType !== "Literal") return `<${name} rdf:resource="${escaped(object.value)}"/>`;
  const datatype = object.datatype.value.endsWith("#string")
    ? ""
    : ` rdf:datatype="${object.datatype.value}"`;
  return `<${name}${datatype}>${escaped(object.value)}</${name}>`;
}

/** White space as references, which readers of XML would change otherwise; without the characters that XML forbids. */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them.
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
  return allowed.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
