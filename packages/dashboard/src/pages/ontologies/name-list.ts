/** Parses names separated by commas. */
export function namesOf(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

export function listOfNames(names: readonly string[]): string {
  return names.join(", ");
}
