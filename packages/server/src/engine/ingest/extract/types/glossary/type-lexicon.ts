/** Finds what the glossary knows for the types of a schema. */

import { headOf, readableName, singular } from "../../../../text/type-names.ts";
import { readCountryNames } from "../country-names.ts";
import data from "./concepts.json" with { type: "json" };

/** For words and names the types, by index, that the glossary gives them to. */
export interface TypeLexicon {
  /** Nouns in small letters and in the singular, and last words of names. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  /** Last words of names of several, in small letters. */
  readonly heads: ReadonlyMap<string, readonly number[]>;
  /** Whole names in small letters. */
  readonly known: ReadonlyMap<string, readonly number[]>;
  /** Last letters of words. */
  readonly endings: readonly (readonly [ending: string, types: readonly number[]])[];
  /** Types whose names nearly always are among these. */
  readonly told: readonly number[];
}

/** What English knows of one of the common kinds of things. Lists are comma separated, in small letters. */
interface Concept {
  /** How a type of this kind may be called, in the singular. */
  readonly names: string;
  /** Name of the concept of which it is a kind; left out for the broadest. */
  readonly broader?: string;
  /** Nouns for things of this kind, and nouns that end their names. */
  readonly words?: string;
  /** Which of `data.nouns` end names of several words of such things, and say nothing of terms in small letters. */
  readonly heads?: string;
  /** Well-known things of this kind. */
  readonly known?: string;
  /** Whether nearly all names of such things are well known or say what they name. */
  readonly isTold?: boolean;
  /** How words for such things end. */
  readonly endings?: string;
}

const concepts: readonly Concept[] = data.concepts;
const headNouns: Readonly<Record<string, string>> = data.nouns;

function squashed(name: string): string {
  return name.replace(/[ -]/g, "");
}

function listOf(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.split(",");
}

function conceptsByName(): ReadonlyMap<string, Concept> {
  const byName = new Map<string, Concept>();
  for (const concept of concepts) {
    for (const name of listOf(concept.names)) {
      if (!byName.has(squashed(name))) byName.set(squashed(name), concept);
    }
  }
  return byName;
}

/** The name of a type in words, also where it was run together: "musicgenre" → "music genre". */
export function spelledName(name: string): string {
  const readable = readableName(name);
  if (readable.includes(" ")) return readable;
  for (const concept of concepts) {
    const found = listOf(concept.names).find(
      (known) => known.includes(" ") && squashed(known) === singular(readable),
    );
    if (found === undefined) continue;
    const first = listOf(concept.names)[0] ?? found;
    return first.includes(" ") ? first : found;
  }
  return readable;
}

/** Whole name, else its last two words, else its head. */
function findConcept(readable: string, byName: ReadonlyMap<string, Concept>): Concept | undefined {
  const words = readable.split(" ");
  const tail = words.slice(-2).join(" ");
  for (const form of [readable, tail]) {
    const found = byName.get(squashed(form)) ?? byName.get(singular(squashed(form)));
    if (found !== undefined) return found;
  }
  return byName.get(headOf(readable));
}

/**
 * The glossary for types of these names. What is known of a concept that no type stands for goes to the types of the nearest
 * broader one: rivers are locations in a schema without rivers.
 */
export function buildTypeLexicon(readableNames: readonly string[]): TypeLexicon {
  const byName = conceptsByName();
  const typesOf = new Map<Concept, number[]>();
  for (const [type, readable] of readableNames.entries()) {
    const concept = findConcept(readable, byName);
    if (concept === undefined) continue;
    typesOf.set(concept, [...(typesOf.get(concept) ?? []), type]);
  }
  const words = new Map<string, number[]>();
  const known = new Map<string, number[]>();
  const heads = new Map<string, number[]>();
  const endings = new Map<string, number[]>();
  for (const concept of concepts) {
    let owner: Concept | undefined = concept;
    while (owner !== undefined && !typesOf.has(owner))
      owner = owner.broader === undefined ? undefined : byName.get(squashed(owner.broader));
    if (owner === undefined) continue;
    const types = typesOf.get(owner) ?? [];
    addAll(words, listOf(concept.words), types);
    addAll(heads, headNouns[concept.heads ?? ""]?.split(" ") ?? [], types);
    addAll(known, listOf(concept.known), types);
    addAll(endings, listOf(concept.endings), types);
    if (byName.get("country") === concept) addAll(known, [...readCountryNames()], types);
  }
  for (const [type, readable] of readableNames.entries()) addAll(words, [headOf(readable)], [type]);
  const told = [...typesOf].flatMap(([concept, types]) => (concept.isTold === true ? types : []));
  return { words, heads, known, endings: [...endings], told };
}

function addAll(map: Map<string, number[]>, keys: readonly string[], types: readonly number[]): void {
  for (const key of keys) {
    const before = map.get(key) ?? [];
    map.set(key, [...new Set([...before, ...types])]);
  }
}
