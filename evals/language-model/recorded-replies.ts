/**
 * Recorded replies of a language model (a line a passage: doc_id, title, entities, and triples of subject, predicate, object) in the form
 * that the service asks for without an ontology: rows of [name, type, relation, target, type, relation, target, type, …]; a fact whose
 * recorded words are not in the text has a row of its own, with a quote behind.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface RecordedPassage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly entities: readonly string[];
  readonly triples: readonly (readonly [string, string, string])[];
}

type Row = readonly string[];

/** Every passage of corpus.jsonl with its line of openie.jsonl. */
export async function readRecorded(folder: string): Promise<readonly RecordedPassage[]> {
  const [corpus = "", recorded = ""] = await Promise.all(
    ["corpus.jsonl", "openie.jsonl"].map((file) => readFile(join(folder, file), "utf8")),
  );
  const said = new Map(rowsOf(recorded).map((row) => [String(row["doc_id"]), row]));
  return rowsOf(corpus).map((row) => {
    const own = said.get(String(row["_id"]));
    return {
      id: String(row["_id"]),
      title: String(row["title"] ?? ""),
      text: String(row["text"] ?? ""),
      entities: listOf(own?.["entities"]).flatMap((name) => (typeof name === "string" ? [name] : [])),
      triples: listOf(own?.["triples"]).flatMap((triple) => {
        const [subject, predicate, object, ...more] = listOf(triple).map(String);
        if (subject === undefined || predicate === undefined || object === undefined || more.length > 0)
          return [];
        return [[subject, predicate, object] as const];
      }),
    };
  });
}

/**
 * What a model that keeps to its instructions would have said of a part of the passage: facts between named things that the part
 * has, each in its own words where these are the recorded ones, else with the words between the names as a quote.
 */
export function replyTo(passage: RecordedPassage, part: string): { readonly facts: readonly Row[] } {
  const isHere = (name: string) => part.includes(name);
  const names = new Set(passage.entities.filter((name) => !isDateOrAmount(name)));
  const types = typesIn(passage);
  const typeOf = (name: string) => types.get(name) ?? "Term";
  const quoted: Row[] = [];
  const worded = new Map<string, string[]>();
  const stated = new Set<string>();
  for (const [source, relation, target] of passage.triples) {
    const isNamed = names.has(source) && names.has(target) && source !== target;
    if (!isNamed || !isHere(target) || !(isHere(source) || source === passage.title)) continue;
    const row = worded.get(source) ?? [source, typeOf(source)];
    const fact = [relation, target, typeOf(target)];
    if (part.includes(relation)) worded.set(source, [...row, ...fact]);
    else quoted.push([source, typeOf(source), ...fact, quoteOf(part, source, target)]);
    stated.add(source).add(target);
  }
  const others = [...names].filter((name) => !stated.has(name) && isHere(name));
  return { facts: [...worded.values(), ...quoted, ...others.map((name) => [name, typeOf(name)])] };
}

/** The words between two names of one sentence, or those before the second. */
function quoteOf(part: string, source: string, target: string): string {
  const at = part.indexOf(target);
  const before = part.slice(0, at);
  const from = before.lastIndexOf(source);
  const between = from === -1 ? "" : before.slice(from + source.length).trim();
  const words = between.split(/\s+/).filter((word) => word !== "");
  if (words.length > 0 && words.length <= 6 && !/[.!?]\s/.test(between)) return between;
  const near = before.split(/\s+/).filter((word) => word !== "");
  return `${near.slice(-3).join(" ")} ${target}`.trim();
}

/** The recorded replies have no types: what little the predicates tell. */
function typesIn({ triples }: RecordedPassage): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const [subject, predicate, object] of triples) {
    for (const { pattern, source, target } of TELLING) {
      if (!pattern.test(predicate)) continue;
      if (source !== null && !types.has(subject)) types.set(subject, source);
      if (target !== null && !types.has(object)) types.set(object, target);
    }
  }
  return types;
}

const TELLING = [
  { pattern: /\bborn\b|\bdied in\b|\blived in\b|\blives in\b/, source: "Person", target: "Location" },
  { pattern: /\bmarried\b|\bson of\b|\bdaughter of\b|\bfather of\b/, source: "Person", target: "Person" },
  { pattern: /\bdirected by\b|\bwritten by\b|\bproduced by\b/, source: "Work", target: "Person" },
  { pattern: /\blocated\b|\bcapital\b|\bborders?\b|\bflows\b/, source: "Location", target: "Location" },
  { pattern: /\bfounded by\b|\bheadquartered\b|\bsubsidiary\b/, source: "Organization", target: null },
  { pattern: /\bmember of\b|\bplays for\b|\bworks for\b/, source: "Person", target: "Organization" },
] as const;

function isDateOrAmount(name: string): boolean {
  const isDated = /\b(?:1\d{3}|20\d\d)\b/.test(name) && !/\p{Lu}\p{Ll}+ \p{Lu}/u.test(name);
  return isDated || /^[\d\p{Sc}]/u.test(name);
}

function rowsOf(lines: string): readonly Readonly<Record<string, unknown>>[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>); // Members are looked at where they are read.
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
