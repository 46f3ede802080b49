/**
 * Which facts an ontology allows, without all else that it has: an ontology of megabytes takes hundreds of milliseconds to read, this a
 * few. Never longer than the text of the ontology by more than a few bytes.
 */
import { writeAllowedProperties } from "./allowed-properties.ts";
import type { Fact, OntologySchema } from "./types.ts";

type Types = Pick<OntologySchema, "nodeTypes" | "edgeTypes">;

/** Node types by their numbers: a list, or hexadecimal digits of four bits each where that is shorter. */
type Ends = readonly number[] | string;

interface AllowedFacts {
  readonly types: readonly string[];
  readonly edges: readonly (readonly [name: string, sources: Ends, targets: Ends])[];
}

/** Facts are allowed by end: any source type of an edge type with any of its target types. */
export interface FactCheck {
  readonly allows: (fact: Fact) => boolean;
  readonly allowsType: (type: string) => boolean;
  readonly allowsEnd: (edgeType: string, end: "source" | "target", type: string) => boolean;
}

/** What is kept of an ontology beside its text. */
export interface WrittenFacts {
  /** Which entities and relationships it allows. */
  readonly facts: string;
  /** The result of `writeAllowedProperties`. Apart, because only what adds a property needs it. */
  readonly properties: string;
}

/** Of an ontology without types. */
export const NO_FACTS: WrittenFacts = { facts: '{"types":[],"edges":[]}', properties: "" };

export function writeAllowedFacts(schema: Types): WrittenFacts {
  return { facts: JSON.stringify(listAllowed(schema)), properties: writeAllowedProperties(schema) };
}

/** The `facts` that `writeAllowedFacts` has written. */
export function readAllowedFacts(json: string): FactCheck {
  return createCheck(JSON.parse(json) as AllowedFacts);
}

export function createFactCheck(schema: Types): FactCheck {
  return createCheck(listAllowed(schema));
}

function listAllowed({ nodeTypes, edgeTypes }: Types): AllowedFacts {
  const types = nodeTypes.map(({ name }) => name);
  const numbers = new Map(types.map((name, at) => [name, at]));
  const endsOf = (names: readonly string[]) => pack(names.flatMap((name) => numbers.get(name) ?? []));
  return {
    types,
    edges: edgeTypes.map(({ name, sourceTypes, targetTypes }) => {
      return [name, endsOf(sourceTypes), endsOf(targetTypes)] as const;
    }),
  };
}

function pack(numbers: readonly number[]): Ends {
  const length = (Math.max(-1, ...numbers) >> 2) + 1;
  if (length >= JSON.stringify(numbers).length) return numbers;
  const digits = new Uint8Array(length);
  for (const number of numbers) digits[number >> 2] = (digits[number >> 2] ?? 0) | (1 << (number & 3));
  return Array.from(digits, (digit) => digit.toString(16)).join("");
}

function isAmong(ends: Ends, number: number): boolean {
  if (typeof ends !== "string") return ends.includes(number);
  return ((Number.parseInt(ends.charAt(number >> 2) || "0", 16) >> (number & 3)) & 1) === 1;
}

function createCheck({ types, edges }: AllowedFacts): FactCheck {
  const numbers = new Map(types.map((name, at) => [name, at]));
  const ends = new Map(edges.map(([name, source, target]) => [name, { source, target }]));
  const allowsEnd: FactCheck["allowsEnd"] = (edgeType, end, type) => {
    const [number, own] = [numbers.get(type), ends.get(edgeType)?.[end]];
    return number !== undefined && own !== undefined && isAmong(own, number);
  };
  return {
    allowsEnd,
    allowsType: (type) => numbers.has(type),
    allows: ({ type, sourceType, targetType }) =>
      allowsEnd(type, "source", sourceType) && allowsEnd(type, "target", targetType),
  };
}
