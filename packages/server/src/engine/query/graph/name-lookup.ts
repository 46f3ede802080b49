/** Finds the passages about a name, or about another form of it with the same first and last word. */
import type { SubjectKind } from "../../../domain/graph.ts";
import type { AboutPassage, PassagesAbout } from "../../../ports/graph-store.ts";
import { endsOf } from "../../text/names/normal-form.ts";
import type { GraphReader } from "./graph-reader.ts";

export interface NamedPassages {
  /** The number of documents about the name. */
  readonly documents: number;
  readonly passages: readonly AboutPassage[];
  /** No passage is about the name itself, only about other forms of it. */
  readonly isSynonym: boolean;
}

export interface NameLookup {
  /** No entry for a name that no passage is about. At most two rounds of calls, each of at most 500 names. */
  find(names: readonly string[]): Promise<ReadonlyMap<string, NamedPassages>>;
}

/** How much a passage is about a subject of each kind, 0…1. */
export const KIND_WEIGHTS: Readonly<Record<SubjectKind, number>> = {
  title: 1,
  opening: 1,
  alias: 0.9,
  section: 0.6,
};

const MAX_NAMES = 500;
const MAX_PER_NAME = 24;
const MAX_PER_END = 6;

/** Caches results, so that a name is looked up once per question. */
export function createNameLookup(reader: GraphReader): NameLookup {
  const known = new Map<string, NamedPassages | null>();
  return {
    async find(names) {
      const unknown = [...new Set(names)].filter((name) => !known.has(name)).slice(0, MAX_NAMES);
      if (unknown.length > 0) await lookUp(unknown, { reader, known });
      const found = new Map<string, NamedPassages>();
      for (const name of names) {
        const about = known.get(name);
        if (about !== null && about !== undefined) found.set(name, about);
      }
      return found;
    },
  };
}

async function lookUp(
  names: readonly string[],
  { reader, known }: { readonly reader: GraphReader; readonly known: Map<string, NamedPassages | null> },
): Promise<void> {
  const ends = [...new Set(names.filter(hasTwoEnds).map(endsOf))];
  const [exact, byEnds] = await Promise.all([
    reader.findAbout(names, MAX_PER_NAME),
    ends.length === 0 ? new Map<string, readonly string[]>() : reader.findByEnds(ends, MAX_PER_END),
  ]);
  const synonyms = new Map<string, readonly string[]>();
  for (const name of names) {
    known.set(name, null);
    const about = exact.get(name);
    if (about !== undefined) known.set(name, { ...about, isSynonym: false });
    else if (hasTwoEnds(name)) synonyms.set(name, synonymsOf(name, byEnds.get(endsOf(name)) ?? []));
  }
  const others = [...new Set([...synonyms.values()].flat())].slice(0, MAX_NAMES);
  if (others.length === 0) return;
  const about = await reader.findAbout(others, MAX_PER_NAME);
  for (const [name, forms] of synonyms) {
    const found = forms.flatMap((form) => about.get(form) ?? []);
    if (found.length === 0) continue;
    known.set(name, {
      documents: countDocuments(found),
      passages: found.flatMap(({ passages }) => passages),
      isSynonym: true,
    });
  }
}

/**
 * Counts a document that is about several forms once, if its passages are listed; unlisted documents cannot
 * be compared, so their numbers are added.
 */
function countDocuments(forms: readonly PassagesAbout[]): number {
  const listed = forms.map(({ passages }) => new Set(passages.map(({ versionId }) => versionId)));
  const distinct = new Set(listed.flatMap((documents) => [...documents])).size;
  return forms.reduce((sum, { documents }, at) => sum + documents - (listed[at]?.size ?? 0), distinct);
}

function hasTwoEnds(name: string): boolean {
  const from = name.indexOf(" ");
  return from > 0 && !/^\d+$/.test(name.slice(name.lastIndexOf(" ") + 1));
}

/** The names that contain all words of `name`, and those of which it contains all words. */
function synonymsOf(name: string, others: readonly string[]): readonly string[] {
  const words = new Set(name.split(" "));
  return others.filter((other) => {
    if (other === name) return false;
    const otherWords = other.split(" ");
    const shared = otherWords.filter((word) => words.has(word)).length;
    return shared === Math.min(words.size, otherWords.length);
  });
}
