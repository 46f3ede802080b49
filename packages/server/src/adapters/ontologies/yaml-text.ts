/** YAML without anything that makes a file more than what is written in it: texts, lists and maps. */
import { Composer, type CST, isMap, isScalar, isSeq, Lexer, type ParsedNode, Parser } from "yaml";
import { OntologyFileError } from "../../ports/ontology-files.ts";
import type { FileText } from "./file-text.ts";

/** Scalars are texts as they are written, "true" and "1" too, and so are the keys of maps; nothing, and null, is an empty one. */
export type YamlValue = string | readonly YamlValue[] | YamlMap;
export type YamlMap = ReadonlyMap<string, YamlValue>;

/** Of collections in each other; those of ontologies have eight. Composing them is recursive. */
const MAX_DEPTH = 50;
/** Words, signs and spaces: each takes some hundred bytes while it is read. An ontology of 2 MiB has a million. */
const MAX_LEXEMES = 1_000_000;

const NULL = /^(?:~|null)$/i;

/** @throws OntologyFileError */
export function readYaml(text: string): YamlMap {
  let fault: OntologyFileError | undefined;
  const composer = new Composer({ schema: "failsafe", uniqueKeys: false, logLevel: "silent" });
  // Private in the library, which would collect the errors and warnings of a file that has nothing else; a test fails when it is renamed.
  Reflect.set(composer, "onError", (place: unknown, _code: string, message: string, isWarning = false) => {
    if (isWarning) return;
    fault ??= faultAt(text, offsetOf(place), message);
    throw fault;
  });
  try {
    const [document, another] = composer.compose(tokensOf(text), true, text.length);
    if (another !== undefined) throw new OntologyFileError("has more than one document, expected one");
    const value = readNode(text, document?.contents ?? null);
    if (!isYamlMap(value)) throw new OntologyFileError("is not a map of YAML");
    return value;
  } catch (error) {
    if (error instanceof OntologyFileError) throw error;
    throw new OntologyFileError(error instanceof Error ? error.message : String(error), error);
  }
}

/** The library says a place as an offset, a range or a token. */
function offsetOf(place: unknown): number {
  const { offset = 0 } = place as { readonly offset?: number }; // One of these.
  return typeof place === "number" ? place : Array.isArray(place) ? Number(place[0]) : offset;
}

export function isYamlMap(value: YamlValue | undefined): value is YamlMap {
  return value instanceof Map;
}

/** All lexemes are counted before the first is parsed, which takes three times as long as finding them. */
function* tokensOf(text: string): Generator<CST.Token> {
  const lexemes: string[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    lexemes.push(lexeme);
    if (lexemes.length > MAX_LEXEMES)
      throw new OntologyFileError(`has more than ${MAX_LEXEMES} words and signs`);
  }
  const parser = new Parser();
  for (const lexeme of lexemes) {
    for (const token of parser.next(lexeme)) {
      if (token.type === "error") throw faultAt(text, token.offset, token.message);
      yield token;
    }
    if (parser.stack.length > MAX_DEPTH)
      throw faultAt(text, parser.offset, `has more than ${MAX_DEPTH} lists and maps in each other`);
  }
  yield* parser.end();
}

/** A few aliases, in each other, make a file of gigabytes; so all of them are refused, as entities in XML are. */
function readNode(text: string, node: ParsedNode | null): YamlValue {
  if (node === null) return "";
  if (isScalar(node)) return node.type === "PLAIN" && NULL.test(node.source) ? "" : node.source;
  if (isSeq(node)) return node.items.map((item) => readNode(text, item));
  if (!isMap(node)) throw faultAt(text, node.range[0], "has an alias (*): write out what it stands for");
  const members = new Map<string, YamlValue>();
  for (const { key, value } of node.items) {
    const name = readNode(text, key);
    if (typeof name !== "string") throw faultAt(text, key.range[0], "has a key that is no text");
    if (members.has(name)) throw faultAt(text, key.range[0], `has the key ${name} twice in one map`);
    members.set(name, readNode(text, value));
  }
  return members;
}

function faultAt(text: string, offset: number, message: string): OntologyFileError {
  return new OntologyFileError(`${message} (line ${text.slice(0, offset).split("\n").length})`);
}

/** What is written: numbers and truth values are no texts here. */
export type Yaml = string | number | boolean | readonly Yaml[] | ReadonlyMap<string, Yaml>;

/** Longer keys need a sign before them. */
const MAX_PLAIN_KEY = 1_000;
/** Texts without quotes; in YAML 1.1, which many still read, some words are truth values. */
const PLAIN = /^[A-Za-z_](?:(?:[\w ./-]|:[\w/])*[\w./-])?$/;
const WORDS = /^(?:true|false|yes|no|on|off|y|n|null)$/i;
/** What some reader of YAML takes for the end of a line, or refuses. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** The members of a map, a line each at least. `start`: what stands before the first of them instead of `indent`. */
export function addYaml(
  file: FileText,
  members: ReadonlyMap<string, Yaml>,
  indent = "",
  start = indent,
): void {
  let before = start;
  for (const [name, value] of members) {
    const key = scalarOf(name);
    file.add(key.length > MAX_PLAIN_KEY ? `${before}? ${key}\n${indent}:` : `${before}${key}:`);
    addValue(file, value, indent);
    before = indent;
  }
}

function addValue(file: FileText, value: Yaml, indent: string): void {
  if (value instanceof Map) {
    file.add(value.size === 0 ? " {}\n" : "\n");
    addYaml(file, value, `${indent}  `);
  } else if (Array.isArray(value)) {
    file.add(value.length === 0 ? " []\n" : "\n");
    for (const item of value as readonly Yaml[])
      if (item instanceof Map) addYaml(file, item, `${indent}    `, `${indent}  - `);
      else file.add(`${indent}  - ${scalarOf(item)}\n`);
  } else file.add(` ${scalarOf(value)}\n`);
}

function scalarOf(value: Yaml): string {
  if (typeof value !== "string" || (PLAIN.test(value) && !WORDS.test(value))) return String(value);
  const asCode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(ESCAPED, asCode);
}
