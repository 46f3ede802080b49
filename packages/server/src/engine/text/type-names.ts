/** Converts names of types to English: "ProgrammingLanguage" → "programming language". */

/** The name in lower case, with spaces between words. */
export function readableName(name: string): string {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_\-.:/]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

/** The head noun of a readable name, in the singular: "member" of "member of parliament". */
export function headOf(readable: string): string {
  const phrase = readable.split(/ (?:of|for|in|from|with) /)[0] ?? readable;
  return singular(phrase.split(" ").at(-1) ?? phrase);
}

export function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

/** Puts each word, separated by single spaces, into the singular. */
export function inSingular(text: string): string {
  return text
    .split(" ")
    .map((word) => singular(word))
    .join(" ");
}
