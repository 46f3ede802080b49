/** The types of the relationships of a line, as words. */
export function linkText(types: readonly string[]): string {
  const more = types.length > 2 ? ` +${types.length - 2}` : "";
  return types.slice(0, 2).map(wordsOf).join(", ") + more;
}

/** "BORN_IN" as "born in"; other names as they are. */
export function wordsOf(type: string): string {
  return type === type.toUpperCase() ? type.replaceAll("_", " ").toLowerCase() : type;
}

/** The type that somebody means who writes a type or its words; what no type has is a new one. */
export function typeMeant(text: string, types: readonly string[]): string {
  const written = text.trim();
  if (types.includes(written)) return written;
  return types.find((type) => wordsOf(type).toLowerCase() === written.toLowerCase()) ?? written;
}
