/** Letters that are capital or small are what the built-in reader finds names by. Enough of a text to see its script. */
const seen = 20_000;

/** What to say of a text that names nothing in the graph. */
export function unreadNames(text: string | null, extraction: "none" | "built_in" | "model"): string {
  const none = "No entity was read from this text.";
  if (text === null || extraction !== "built_in" || hasCase(text.slice(0, seen))) return none;
  return `${none} Names are found by capital letters, which its script does not have.`;
}

/** Whether at least half of its letters are of a script with capital letters. */
function hasCase(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const without = text.match(/\p{Lo}/gu)?.length ?? 0;
  return without * 2 <= letters;
}
