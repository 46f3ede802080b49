/** Markdown without what its reader does not see or is not to believe, and with its superscripts in plain characters. */
import { lower, noteMark, raise } from "./raised-text.ts";

const BEFORE_CHARACTERS = 40;
const FENCE = /^ {0,3}(```|~~~)/;
/** Code stays as it is. */
const PARTS =
  /`[^`\n]{1,500}`|~~(?=[^\s~])[^~]{1,2000}(?<=\S)~~(?!~)|<!--(?:[^-]|-(?!->)){0,2000}-->|<(?:del|s|strike)(?: [^>]{0,200})?>(?:[^<]|<(?!\/(?:del|s|strike)>)){0,2000}<\/(?:del|s|strike)>|<(su[bp])(?: [^>]{0,200})?>(<a [^>]{0,300}>)?([^<]{0,200})(?:<\/a>)?<\/su[bp]>/gi;

/** Blocks of code between fences stay as they are. */
export function shownMarkdown(text: string): string {
  const pieces: string[] = [];
  let fence: string | null = null;
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at) + 1 || text.length;
    const [, mark] = FENCE.exec(text.slice(at, Math.min(end, at + 10))) ?? [];
    if (fence === null && mark !== undefined) {
      pieces.push(shownProse(text.slice(start, at)));
      [fence, start] = [mark, at];
    } else if (fence !== null && mark === fence) {
      pieces.push(text.slice(start, end));
      [fence, start] = [null, end];
    }
    at = end;
  }
  const rest = text.slice(start);
  return pieces.join("") + (fence === null ? shownProse(rest) : rest);
}

function shownProse(text: string): string {
  return text.replace(PARTS, (all: string, place?: string, link?: string, content?: string, at?: number) => {
    if (all.startsWith("`")) return all;
    // Paragraphs are struck out one by one.
    if (place === undefined) return /\n\s{0,99}\n/.test(all) && all.startsWith("~~") ? all : "";
    const before = text.slice(Math.max(0, (at ?? 0) - BEFORE_CHARACTERS), at);
    if (place.toLowerCase() === "sub") return lower(content ?? "", before);
    return link === undefined ? raise(content ?? "", before) : noteMark(content ?? "", before);
  });
}
