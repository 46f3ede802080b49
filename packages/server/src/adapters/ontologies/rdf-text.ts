/** Statements as Turtle and RDF/XML; `rdf-parse.ts` reads them. */
import { type Quad, type Term, Writer } from "n3";
import type { FileText } from "./file-text.ts";
import { PREFIXES } from "./vocabulary.ts";

export function addTurtle(file: FileText, quads: readonly Quad[]): void {
  const output = {
    write(text: string, _encoding: string, done?: () => void) {
      file.add(text);
      done?.();
    },
    end: (done?: () => void) => done?.(),
  };
  const writer = new Writer(output, { prefixes: { ...PREFIXES } });
  writer.addQuads([...quads]);
  writer.end();
}

export function addRdfXml(file: FileText, quads: readonly Quad[]): void {
  const namespaces = Object.entries(PREFIXES).map(([prefix, iri]) => ` xmlns:${prefix}="${iri}"`);
  const subjects = Map.groupBy(quads, ({ subject }) => `${subject.termType} ${subject.value}`);
  file.add(`<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF${namespaces.join("")}>\n`);
  for (const own of subjects.values()) {
    const [first] = own as [Quad, ...Quad[]]; // `Map.groupBy` makes no empty groups.
    const about = first.subject.termType === "BlankNode" ? "rdf:nodeID" : "rdf:about";
    file.add(`  <rdf:Description ${about}="${escaped(first.subject.value)}">\n`);
    for (const { predicate, object } of own) file.add(`    ${elementOf(predicate.value, object)}\n`);
    file.add("  </rdf:Description>\n");
  }
  file.add("</rdf:RDF>\n");
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
