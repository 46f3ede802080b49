/** How a formula is written on a line of text: `(a+b)/2`, `10⁶`, `√(x+1)`. */
import { lower, powerOf } from "./raised-text.ts";

/** What stands side by side. */
export function rowOf(texts: readonly string[]): string {
  const parts: string[] = [];
  let last = "";
  for (const next of texts) {
    if (next === "") continue;
    // 1 and one half are not eleven halves.
    if (/\d$/.test(last) && /^\d/.test(next)) parts.push(" ");
    parts.push(next);
    last = next.slice(-1);
  }
  return parts.join("");
}

export function scripts(
  base: string,
  { below = "", above = "" }: { readonly below?: string; readonly above?: string },
): string {
  const start = group(base);
  return start + (below === "" ? "" : lower(below, start)) + (above === "" ? "" : powerOf(above, start));
}

export function fraction(numerator: string, denominator: string): string {
  return `${group(numerator)}/${group(denominator)}`;
}

/** @param degree "" = the square root */
export function root(content: string, degree = ""): string {
  return `${degree === "" ? "" : powerOf(degree, "√")}√${group(content)}`;
}

/** Comparisons stand apart; operators that nobody sees are left out. */
export function operator(text: string): string {
  if (/^[\u2061-\u2064]$/.test(text)) return "";
  return /^[=<>≤≥≠≈≡∼→⇒∈±]$/.test(text) ? ` ${text} ` : text;
}

/** In parentheses, unless it is a single thing. */
function group(text: string): string {
  const content = text.trim();
  return /[\s+\-−–=/*·×,;]/.test(content) && !isEnclosed(content) ? `(${content})` : content;
}

function isEnclosed(text: string): boolean {
  return /^\([^()]{0,999}\)$/.test(text);
}
