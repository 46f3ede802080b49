/** Turtle and RDF/XML as lists of statements. What would make a parser take more than linear time is refused before. */
import { Lexer, Parser, type ParserOptions, type Quad, type TokenCallback } from "n3";
import { RdfXmlParser } from "rdfxml-streaming-parser";
import { OntologyFileError } from "../../ports/ontology-files.ts";

/** An ontology of 2,000 types with all members has fewer. */
const MAX_QUADS = 500_000;
/** Of all terms of statements: a long prefix or base can be used in each of them. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Those of ontologies have ten. */
const MAX_DEPTH = 100;
/** Names of namespaces that elements inherit, together: the parser copies them for each element. */
const MAX_INHERITED = 5_000_000;
/** The time for a base in Turtle grows with the square of its length, and each IRI may repeat it. */
const MAX_IRI = 2_048;
/** Likewise of a number. */
const MAX_DIGITS = 1_024;
/** For relative names. */
const BASE = "urn:kcs:file:";

/** @throws OntologyFileError */
export function readTurtle(text: string): readonly Quad[] {
  return collected((add) => {
    requireShortTokens(text);
    const lexer = new Lexer({ n3: false });
    const tokenize = (input: string, callback: TokenCallback) => {
      for (const token of lexer.tokenize(input)) callback(NO_ERROR, token);
    };
    // The types lack `lexer`. Without one of ours the parser calls back later, when nobody can end it.
    const options = { baseIRI: BASE, format: "text/turtle", lexer: { tokenize } } as ParserOptions;
    new Parser(options).parse(text, (error, quad) => {
      if (error) throw error;
      if (quad) add(quad);
    });
  });
}

/** The types say that there is always an error. */
const NO_ERROR = null as unknown as Error;

/** @throws OntologyFileError */
function requireShortTokens(text: string): void {
  let [digits, iri] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    digits = character >= 0x30 && character <= 0x39 ? digits + 1 : 0;
    if (digits > MAX_DIGITS) throw new OntologyFileError(`has a number of more than ${MAX_DIGITS} digits`);
    if (character === 0x3c) iri = 1;
    // White space, ">" and "\"", which no IRI has.
    else if (character <= 0x20 || character === 0x3e || character === 0x22) iri = 0;
    else if (iri > 0 && ++iri > MAX_IRI + 1) throw iriTooLong();
  }
}

/**
 * Entities are refused before anything is read: a few of them, in each other, make a text of gigabytes.
 * @throws OntologyFileError
 */
export function readRdfXml(text: string): readonly Quad[] {
  return collected((add) => {
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
      throw new OntologyFileError("has a document type or entities: write out what they stand for");
    requireShallow(text);
    const parser = new QuadReader(add);
    parser.on("error", (error: unknown) => {
      throw error;
    });
    // Private in the library, whose streams call back later, and do not notice that a text ends too early; tests fail when it is renamed.
    const sax = Reflect.get(parser, "saxParser") as { write(text: string): void; close(): void };
    sax.write(text);
    sax.close();
  });
}

/** Hands over each statement at once. Its terms have the members of those of n3. */
class QuadReader extends RdfXmlParser {
  readonly #add: (quad: Quad) => void;

  constructor(add: (quad: Quad) => void) {
    super({ baseIRI: BASE });
    this.#add = add;
  }

  override push(quad: Quad): boolean {
    this.#add(quad);
    return true;
  }

  override valueToUri(...[value, element]: Parameters<RdfXmlParser["valueToUri"]>) {
    requireShortIri(value);
    requireShortIri(element.baseIRI ?? "");
    return super.valueToUri(value, element);
  }

  override uriToNamedNode(uri: string) {
    requireShortIri(uri);
    return super.uriToNamedNode(uri);
  }
}

function requireShortIri({ length }: string): void {
  if (length > MAX_IRI) throw iriTooLong();
}

/** The parser looks through all open elements at each one, and copies the namespaces of those around it. */
function requireShallow(text: string): void {
  /** Of the open elements, with those around them. */
  const namespaces: number[] = [0];
  let [end, inherited] = [-1, 0];
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (end < at) end = text.indexOf(">", at);
    if (end < 0) return; // The parser says what is missing.
    const next = text[at + 1];
    if (next === "!" || next === "?") continue;
    if (next === "/") {
      namespaces.length = Math.max(1, namespaces.length - 1);
      continue;
    }
    const around = namespaces.at(-1) ?? 0;
    inherited += around;
    if (inherited > MAX_INHERITED) throw new OntologyFileError("has too many namespaces");
    if (text[end - 1] !== "/") namespaces.push(around + countNamespaces(text, at, end));
    if (namespaces.length > MAX_DEPTH + 1)
      throw new OntologyFileError(`has more than ${MAX_DEPTH} elements in each other`);
  }
}

/** At least as many as the tag has. */
function countNamespaces(text: string, start: number, end: number): number {
  return text.slice(start, end).split("xmlns").length - 1;
}

function iriTooLong(): OntologyFileError {
  return new OntologyFileError(`has an IRI of more than ${MAX_IRI} characters`);
}

/** @throws OntologyFileError for whatever the parser throws */
function collected(read: (add: (quad: Quad) => void) => void): readonly Quad[] {
  const quads: Quad[] = [];
  let characters = 0;
  const add = (quad: Quad) => {
    const { subject, predicate, object } = quad;
    characters += subject.value.length + predicate.value.length + object.value.length;
    if (characters > MAX_CHARACTERS)
      throw new OntologyFileError(`has statements of more than ${MAX_CHARACTERS} characters`);
    if (quads.push(quad) > MAX_QUADS) throw new OntologyFileError(`has more than ${MAX_QUADS} statements`);
  };
  try {
    read(add);
    return quads;
  } catch (error) {
    if (error instanceof OntologyFileError) throw error;
    throw new OntologyFileError(error instanceof Error ? error.message : String(error), error);
  }
}
