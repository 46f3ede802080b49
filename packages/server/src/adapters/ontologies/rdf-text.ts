/** Statements as Turtle and RDF/XML; `rdf-parse.ts` reads them. */
import { type Quad, type Term, Writer } from "n3";
import { PREFIXES } from "./vocabulary.ts";

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
