/** The graph that a language model would be asked for, by a rule: a passage's title and the names in its body. */

export interface NamedPassage {
  readonly title: string;
  /** Other than the title. */
  readonly names: readonly string[];
  /** The beginning of the body, which describes the title. */
  readonly begin: string;
}

const MOST_NAMES = 6;
const MOST_CHARACTERS = 160;
const CAPITALISED = /\p{Lu}[\p{L}\p{M}\d'’-]*(?: \p{Lu}[\p{L}\p{M}\d'’-]*)*/gu;
const ENDS_SENTENCE = /(?:^|[.!?:]["”)]?\s)["“(]?$/;

/** Runs of capitalised words, each once, in their order; a single word that begins a sentence may be any word. */
export function namesIn(text: string, most: number): readonly string[] {
  const names = new Set<string>();
  for (const { 0: run, index } of text.matchAll(CAPITALISED)) {
    const name = run.replace(/['’]s$/, "");
    const begins = ENDS_SENTENCE.test(text.slice(Math.max(0, index - 4), index));
    if (name.length > 2 && (name.includes(" ") || !begins)) names.add(name);
    if (names.size === most) break;
  }
  return [...names];
}

/** Of a text whose first line is its title. */
export function namePassage(text: string): NamedPassage {
  const [first = "", ...rest] = text.split("\n");
  const body = rest.join(" ");
  const title = withoutMarks(first).slice(0, MOST_CHARACTERS) || "untitled";
  const others = namesIn(body, MOST_NAMES + 1).filter((name) => name !== title);
  return { title, names: others.slice(0, MOST_NAMES), begin: withoutMarks(body.slice(0, MOST_CHARACTERS)) };
}

/** Without the characters that the peers' formats are made of. */
function withoutMarks(text: string): string {
  return text
    .replace(/[<>|#"()[\]{}]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
