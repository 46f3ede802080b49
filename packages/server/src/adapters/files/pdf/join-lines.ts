/** Joins the lines of a paragraph. */

/** A word that was divided at the end of a line becomes whole. */
export function joinLines(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (text === "") return line;
    const isDivided = /\p{L}[-‐\u00ad]$/u.test(text) && /^\p{Ll}/u.test(line);
    if (isDivided || (/\p{Lu}[-‐]$/u.test(text) && /^\p{Lu}{2}/u.test(line))) return text.slice(0, -1) + line;
    const isDense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、；：）」]$/u.test(text);
    return isDense && /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}（「]/u.test(line)
      ? text + line
      : `${text} ${line}`;
  }, "");
}
