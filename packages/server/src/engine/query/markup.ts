/** Tells text from markup that shows something else: badges, pictures, tables of contents, layout in HTML. */
import { countWords, endsLikeSentence } from "./quotation.ts";

const PICTURE = /!\[[^\][]{0,200}\](?:\([^()]{0,2000}\)|\[[^\][]{0,200}\])/gu;
/** What is left of a badge without its picture. */
const EMPTY_LINK = /\[\s{0,20}\](?:\([^()]{0,2000}\)|\[[^\][]{0,200}\])/gu;
/** To a heading of the same document. */
const INNER_LINK = /\[[^\][]{1,200}\]\(#[^()]{0,200}\)/gu;
const LINK_TARGET = /^ {0,3}\[[^\][]{1,200}\]:[ \t]{1,8}\S[^\n]{0,2000}$/gmu;
/** "Array<string>" has none. */
const TAG = /(?<![\p{L}\p{N}])<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,1000})?\/?>/giu;
const LEAST_WORDS = 3;

/** Whether it shows a picture, links to headings beside it, or has lines of HTML. */
export function hasLayout(text: string): boolean {
  return (
    [PICTURE, INNER_LINK].some((markup) => text.search(markup) >= 0) || /^[ \t]{0,20}<\/?[a-z]/mu.test(text)
  );
}

/** Whether hardly a word is left of a text without its markup, or the text is HTML that holds no sentence. */
export function isMarkup(text: string): boolean {
  if (!/[[<]/u.test(text)) return false;
  const rest = [PICTURE, EMPTY_LINK, INNER_LINK, LINK_TARGET, TAG]
    .reduce((left, markup) => left.replace(markup, " "), text)
    .trim();
  if (rest.length === text.trim().length) return false;
  return countWords(rest) < LEAST_WORDS || (text.trimStart().startsWith("<") && !endsLikeSentence(rest));
}
