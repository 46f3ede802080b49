/**
 * Which names are joined to one entity, on a set that labels itself: a titled text about a person or an organisation names its
 * subject in its title and again, often in another form, at the beginning of its first sentence.
 *
 *   node evals/resolution/evaluate.ts CORPUS.jsonl … [--show]
 *
 * A line of a corpus is a document {"title", "text"}. Two forms of one subject's name should be joined, names of subjects with
 * different titles should not. Prints JSON: precision and recall by the normal form alone and with the rules.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { findAliasCandidates } from "../../packages/server/src/engine/ingest/extract/facts/alias-candidates.ts";
import { readDefinitions } from "../../packages/server/src/engine/ingest/extract/facts/definitions.ts";
import { findOpeningTitle } from "../../packages/server/src/engine/ingest/extract/relations/opening-title.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { findStatements } from "../../packages/server/src/engine/ingest/extract/statements/find-statements.ts";
import { normalizeName } from "../../packages/server/src/engine/text/names/normal-form.ts";
import { sentences } from "../../packages/server/src/engine/text/sentences.ts";

interface Document {
  readonly title: string;
  readonly text: string;
}

/** A subject with the ways in which its document writes its name. */
interface Subject {
  readonly type: string;
  readonly title: string;
  readonly forms: ReadonlySet<string>;
}

const tag = createTagger();

/** null where the text does not say plainly that its subject is a person or an organisation. */
function readSubject({ title, text }: Document): Subject | null {
  const bare = title.replace(/\s*\([^()]*\)\s*$/, "").trim();
  const first = sentences(text).next().value;
  if (first === undefined || bare === "") return null;
  const tokens = tag(text, first);
  const opening = findOpeningTitle(tokens);
  const [from, to] =
    opening === null ? [undefined, undefined] : [tokens[opening.from], tokens[opening.to - 1]];
  if (from === undefined || to === undefined) return null;
  const statements = findStatements(tokens, 0);
  const sentence = { ...first, index: 0, tokens, statements, mentions: [] };
  const type = readDefinitions(sentence).get(from.start);
  if (type !== "Person" && type !== "Organization") return null;
  return { type, title: bare, forms: new Set([bare, text.slice(from.start, to.end)]) };
}

interface Join {
  readonly key: string;
  readonly candidate: string;
  readonly isRight: boolean;
}

/** Joins between names that the corpus has, as the graph would make them. */
function findJoins(subjects: readonly Subject[]): readonly Join[] {
  const owners = new Map<string, Set<string>>();
  for (const { type, title, forms } of subjects) {
    for (const form of forms) {
      const id = `${type}\n${normalizeName(form)}`;
      owners.set(id, (owners.get(id) ?? new Set()).add(normalizeName(title)));
    }
  }
  return [...owners].flatMap(([id, own]) => {
    const [type = "", key = ""] = id.split("\n");
    return findAliasCandidates({ type, key }).flatMap(({ candidate }) => {
      const others = owners.get(`${type}\n${candidate}`);
      if (others === undefined) return [];
      return [{ key, candidate, isRight: [...own].some((title) => others.has(title)) }];
    });
  });
}

function evaluate(documents: readonly Document[]) {
  const byTitle = new Map<string, Subject>();
  for (const document of documents) {
    const subject = readSubject(document);
    if (subject === null) continue;
    const known = byTitle.get(subject.title);
    byTitle.set(subject.title, { ...subject, forms: new Set([...(known?.forms ?? []), ...subject.forms]) });
  }
  const subjects = [...byTitle.values()];
  const pairs = subjects.flatMap(({ type, forms }) => {
    const all = [...forms];
    return all
      .slice(1)
      .map((form) => ({ type, one: normalizeName(all[0] ?? ""), other: normalizeName(form) }));
  });
  const isCandidate = (type: string, key: string, other: string) =>
    findAliasCandidates({ type, key }).some(({ candidate }) => candidate === other);
  const byForm = pairs.filter(({ one, other }) => one === other);
  const byRule = pairs.filter(
    ({ type, one, other }) => one === other || isCandidate(type, one, other) || isCandidate(type, other, one),
  );
  const joins = findJoins(subjects);
  const right = joins.filter(({ isRight }) => isRight).length;
  return {
    subjects: subjects.length,
    pairs: pairs.length,
    recall: { normalForm: share(byForm.length, pairs.length), withRules: share(byRule.length, pairs.length) },
    joinsByRule: joins.length,
    precisionOfRules: share(right, joins.length),
    wrong: joins.filter(({ isRight }) => !isRight).map(({ key, candidate }) => `${key} = ${candidate}`),
    missed: pairs.filter((pair) => !byRule.includes(pair)).map(({ one, other }) => `${one} = ${other}`),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 1000;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { show: { type: "boolean", default: false } },
  });
  const documents: Document[] = [];
  for (const path of positionals) {
    const lines = (await readFile(path, "utf8")).trim().split("\n");
    for (const line of lines) documents.push(JSON.parse(line) as Document);
  }
  const { wrong, missed, ...result } = evaluate(documents);
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (values.show) process.stdout.write(`wrong:\n${wrong.join("\n")}\nmissed:\n${missed.join("\n")}\n`);
}

await main();
