/** Joins the lines of a paragraph. */

/** A word that was divided at the end of a line becomes whole. Only the last line is looked at, so that the time is that of the length. */
export function joinLines(lines: readonly string[]): string {
  const parts: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (line === "") continue;
    if (last === undefined) parts.push(line);
    else if (isDivided(last, line)) parts.splice(-1, 1, last.slice(0, -1), line);
    else if (isDense(last, line)) parts.push(line);
    else parts.push(" ", line);
  }
  return parts.join("");
}

function isDivided(last: string, line: string): boolean {
  if (/\p{L}[-‐\u00ad]$/u.test(last) && /^\p{Ll}/u.test(line)) return true;
  return /\p{Lu}[-‐]$/u.test(last) && /^\p{Lu}{2}/u.test(line);
}

/** Scripts that put no space between words. */
function isDense(last: string, line: string): boolean {
  return (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、；：）」]$/u.test(last) &&
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}（「]/u.test(line)
  );
}
