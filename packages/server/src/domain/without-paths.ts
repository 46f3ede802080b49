/**
 * Replaces absolute paths by their last part, for texts that are shown to people who should not learn where the files of this
 * machine are. The log has the whole text.
 */
export function withoutPaths(text: string): string {
  return text
    .split(" ")
    .map((word) => {
      const start = startOfPath(word);
      if (start === null) return word;
      const path = word.slice(start);
      return word.slice(0, start) + path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
    })
    .join(" ");
}

/** After an opening quote or bracket. An address of the web begins with its protocol, so it is left alone. */
function startOfPath(word: string): number | null {
  const [opening = ""] = /^["'`([]{0,2}/.exec(word) ?? [];
  return /^(?:[A-Za-z]:)?[/\\]./.test(word.slice(opening.length)) ? opening.length : null;
}
