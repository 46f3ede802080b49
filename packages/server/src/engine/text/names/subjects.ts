/** Determines the subjects of a document and of its chunks. */

import type { Subject } from "../../../domain/graph.ts";
import { blocks } from "../blocks.ts";
import type { Lexicon } from "./lexicon.ts";
import { functionWords, openers } from "./name-words.ts";
import { nameAliases, normalizeName } from "./normal-form.ts";
import { findOpening } from "./opening.ts";

/** The subjects shared by all chunks of a document; computed once per document. */
export interface DocumentSubjects {
  /** The title that the chunker found; null if there is none. */
  readonly title: string | null;
  readonly subjects: readonly Subject[];
}

const mostSubjects = 12;
const nameUnits = 160;

/**
 * The subjects of a document, from its title or else from its opening. With a title: its normal form, its
 * aliases, and the forms that the first sentence gives the same thing (including "also known as"). Without a
 * title: the first sentence's subject and its other forms. Reads the first 1,500 code units; at most 12
 * subjects, each name once.
 */
export function findDocumentSubjects(
  document: string,
  { title, lexicon }: { readonly title: string | null; readonly lexicon: Lexicon },
): DocumentSubjects {
  const opening = findOpening(document, { title, lexicon });
  if (title === null) {
    const [name, ...others] = opening.names;
    if (name === undefined) return { title, subjects: [] };
    return { title, subjects: distinct([{ name, kind: "opening" }, ...asAliases(others)]) };
  }
  const [name, ...aliases] = nameAliases(title);
  if (name === undefined) return { title, subjects: [] };
  const forms = opening.isDefined ? sameNames(opening.names, [name, ...aliases]) : [];
  return { title, subjects: distinct([{ name, kind: "title" }, ...asAliases([...aliases, ...forms])]) };
}

/**
 * The subjects of a chunk: those of its document, and the nearest heading above it or at its start, unless
 * that is a common word. `header` is the chunk's header as the chunker writes it ("Title > Section", with the
 * columns of a table on a separate line).
 */
export function findSubjects(
  chunk: { readonly header: string; readonly text: string },
  document: DocumentSubjects,
): readonly Subject[] {
  const heading = openingHeading(chunk.text) ?? chunk.header.split("\n", 1)[0]?.split(" > ").at(-1) ?? "";
  const section = sectionNames(heading).map((name): Subject => ({ name, kind: "section" }));
  return distinct([...document.subjects, ...section]);
}

function asAliases(names: readonly string[]): readonly Subject[] {
  return names.map((name) => ({ name, kind: "alias" }));
}

function distinct(subjects: readonly Subject[]): readonly Subject[] {
  const byName = new Map<string, Subject>();
  for (const subject of subjects) {
    const isValid = subject.name !== "" && subject.name.length <= nameUnits;
    if (isValid && byName.size < mostSubjects && !byName.has(subject.name)) byName.set(subject.name, subject);
  }
  return [...byName.values()];
}

/**
 * The names of the opening if it is about the thing that the title names: one of them equals a form of the
 * title, or shares a word with it that is not a function word. Names that are only a part of the title are
 * omitted: "Siege of Troy" is not about Troy.
 */
function sameNames(opening: readonly string[], titles: readonly string[]): readonly string[] {
  const titleWords = new Set(titles.flatMap((title) => title.split(" ")));
  const isPart = (name: string) => name.split(" ").every((word) => titleWords.has(word));
  const isSame = opening.some(
    (name) => titles.includes(name) || (!isPart(name) && sharesWord(name, titleWords)),
  );
  return isSame ? opening.filter((name) => !isPart(name)) : [];
}

function sharesWord(name: string, words: ReadonlySet<string>): boolean {
  return name.split(" ").some((word) => word.length > 2 && !functionWords.has(word) && words.has(word));
}

function openingHeading(text: string): string | null {
  for (const block of blocks(text.slice(0, 600))) {
    if (block.kind !== "heading") return null;
    return text.slice(block.start, block.end).replace(/[\r\n][^\S\r\n]*[=-]+$/, "");
  }
  return null;
}

/**
 * The names of a heading without its number; none for "History" and other words that head sections of any
 * text.
 */
function sectionNames(heading: string): readonly string[] {
  const bare = heading
    .replace(/^[#\s]+/, "")
    .replace(
      /^(?:(?:chapter|section|part|appendix)\s{1,8})?[\dA-Z]{1,3}(?:\.\d{1,3}){0,5}[.):]?\s{1,8}/i,
      "",
    );
  const names = nameAliases(/\p{L}/u.test(bare) ? bare : heading);
  return names.filter(
    (name) => !genericHeadings.has(name) && !openers.has(name) && normalizeName(name) !== "",
  );
}

const genericHeadings: ReadonlySet<string> = new Set(
  [
    "introduction,overview,background,summary,abstract,conclusion,conclusions,discussion,results,methods,references",
    "bibliography,notes,see also,external links,further reading,contents,table of contents,index,appendix,preface",
    "biography,early life,personal life,life,career,death,legacy,reception,plot,cast,production,release,history",
    "geography,demographics,economy,culture,education,description,definition,examples,usage,syntax,parameters",
    "arguments,return value,returns,installation,getting started,faq,troubleshooting,changelog,license,authors",
    "acknowledgements,acknowledgments,awards,filmography,discography,gallery,sources,etymology,name,climate",
  ].flatMap((list) => list.split(",")),
);
