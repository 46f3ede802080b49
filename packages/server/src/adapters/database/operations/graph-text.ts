/** In UTF-16 code units. PostgreSQL allows at most 8 kB in an index key; a type of an ontology has 200 code points at most. */
const maxNameLength = 400;

/**
 * Whether a normal form can be a key on both databases: no control characters, no lone surrogates, not too
 * long.
 */
export function isStorableName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check excludes them.
  return name !== "" && name.length <= maxNameLength && name.isWellFormed() && !/[\u0000-\u001f]/.test(name);
}

/** Text that both databases return unchanged: well-formed, on one line, at most `maxLength` code units. */
export function storableText(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= maxLength ? line : line.slice(0, maxLength).toWellFormed();
}
