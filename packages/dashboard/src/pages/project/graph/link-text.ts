/** The types of the relationships of a line, as words. */
export function linkText(types: readonly string[]): string {
  const more = types.length > 2 ? ` +${types.length - 2}` : "";
  return types.slice(0, 2).map(wordsOf).join(", ") + more;
}

/** "BORN_IN" as "born in"; other names as they are. */
export function wordsOf(type: string): string {
  return type === type.toUpperCase() ? type.replaceAll("_", " ").toLowerCase() : type;
}
