/** Names as a person types them, with commas between. */
export function namesOf(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

export function listOfNames(names: readonly string[]): string {
  return names.join(", ");
}
