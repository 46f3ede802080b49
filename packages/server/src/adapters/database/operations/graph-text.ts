/** PostgreSQL holds no more than 8 kB in an index key; a name as long as this is none. In UTF-16 code units. */
const maxNameLength = 300;

/** Whether a normal form can be a key on both databases: no control characters, no lone surrogates, not too long. */
export function isStorableName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in it.
  return name !== "" && name.length <= maxNameLength && name.isWellFormed() && !/[\u0000-\u001f]/.test(name);
}

/** Text that both databases give back as it went in, on one line and no longer than so many code units. */
export function storableText(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= maxLength ? line : line.slice(0, maxLength).toWellFormed();
}
