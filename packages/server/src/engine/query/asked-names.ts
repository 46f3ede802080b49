/** Tells passages that speak of what a question names from those that speak of something else. */
import type { Span } from "../../domain/graph.ts";
import { foldText } from "../text/fold-text.ts";
import { nameFinder } from "../text/names/normal-form.ts";
import { ENGLISH_STOP_WORDS } from "../text/stop-words.ts";
import { namesInQuestion } from "./dynamic/question-names.ts";
import type { SummaryChunk } from "./summarize-candidates.ts";
import { guessLanguage, mayBeEnglish } from "./written/languages.ts";

const LOWER_WORD = /(?<![\p{L}\p{N}])\p{Ll}[\p{Ll}]{0,3}(?![\p{L}\p{N}])/gu;

/**
 * Whether the chunk, what it stands under, or what leads to it has one of the names. `names`: normal forms. A short word without a capital is no name: "US"
 * is not in "most of us".
 */
export function speaksOf(
  names: readonly string[],
  { text, header = "", leadingText = "" }: Pick<SummaryChunk, "text" | "header" | "leadingText">,
): boolean {
  const all = `${header}\n${leadingText}\n${text}`;
  const [hasName, hasWord] = [nameFinder(all), nameFinder(all.replace(LOWER_WORD, " "))];
  return names.some((name) => (name.includes(" ") ? hasName(name) : hasWord(name)));
}

/**
 * Returns a test of the places of chunks in the list: whether no chunk of its document has one of the names although one of another document has. None is
 * a stranger where there are no names or no chunk has one: a question may use another name. The chunks are read when it is first asked.
 */
export function createStrangers(
  names: readonly string[],
  chunks: readonly SummaryChunk[],
): (chunk: number) => boolean {
  if (names.length === 0) return () => false;
  let speaking: ReadonlySet<number> | null = null;
  return (at) => {
    speaking ??= new Set(chunks.filter((chunk) => speaksOf(names, chunk)).map(({ versionId }) => versionId));
    const own = chunks[at]?.versionId;
    return speaking.size > 0 && own !== undefined && !speaking.has(own);
  };
}

const WORD = /\p{L}{2,40}/gu;
/** What two forms of a word have in common. */
const STEM_UNITS = 5;
const MAX_NAMES = 4;
/** "Which Oscar did she win?": a word alone that the verb follows is a name here, but for "Which French king". */
const ASKED_KIND = /(?:^|\s)(?:which|what) $/iu;
const VERB = /^ (?:did|does|do|has|have|had|was|were|is|are|will|can)\b/u;

export interface AskedNames {
  /** Of what the question is about, in normal form; nothing where it names nothing. */
  readonly about: readonly string[];
  /** What kind of thing is asked for, and the first that it is asked of, as the question writes them. null where either has no name. */
  readonly kind: { readonly name: string; readonly of: string } | null;
}

/** "Which Oscar did the Lantern win?" is about the Lantern: what speaks of an Oscar alone is about something else. */
export function readAskedNames(query: string): AskedNames {
  const named = namesInQuestion(query);
  const kind = named.find((name) => isAskedKind(query, name));
  const others = named.filter((name) => name !== kind);
  const of = others[0];
  if (kind === undefined || of === undefined) return { about: named.map(({ name }) => name), kind: null };
  const written = ({ start, end }: Span) => query.slice(start, end);
  return { about: others.map(({ name }) => name), kind: { name: written(kind), of: written(of) } };
}

function isAskedKind(query: string, { start, end }: Span): boolean {
  return ASKED_KIND.test(query.slice(0, start)) && VERB.test(query.slice(end));
}

/**
 * The names of several words of which no text has a single one, nor their initials, as the question writes them. `texts`: folded. Of a
 * name of one word nothing tells whether it is one, unless the question asks which. English only: other languages write other words with capitals, and translate names.
 */
export function missingNames(query: string, texts: readonly string[]): readonly string[] {
  const named = namesInQuestion(query).slice(0, MAX_NAMES);
  const missing = named.flatMap(({ start, end }) => {
    const name = query.slice(start, end);
    const words = (foldText(name).match(WORD) ?? []).filter((word) => !ENGLISH_STOP_WORDS.has(word));
    if (words.length < 2 && !(words.length === 1 && isAskedKind(query, { start, end }))) return [];
    const initials = words.map(([first]) => first).join("");
    const has = (text: string) =>
      words.some((word) => text.includes(word.slice(0, STEM_UNITS))) || hasAbbreviation(text, initials);
    return texts.some(has) ? [] : [name];
  });
  const isEnglish = missing.length > 0 && guessLanguage(query) === "en" && mayBeEnglish(texts.join("\n"));
  return isEnglish ? missing : [];
}

/** "cba", "c.b.a." */
function hasAbbreviation(text: string, letters: string): boolean {
  return text.split(/[^\p{L}.]/u).some((word) => word.replaceAll(".", "") === letters);
}
