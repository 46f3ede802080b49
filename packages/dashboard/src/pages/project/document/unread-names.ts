/** Letters that are capital or small are what the built-in reader finds names by. Enough of a text to see its script. */
const seen = 20_000;

/** What to say of a text from which no name was read. */
export function unreadNames(text: string | null, extraction: "none" | "built_in" | "model"): string {
  const none = "No names were read from this text.";
  if (text === null || extraction !== "built_in" || hasCase(text.slice(0, seen))) return none;
  return `${none} They are found by capital letters, which this script does not have; Arabic, Chinese and Japanese are among those.`;
}

/** Whether at least half of its letters are of a script with capital letters. */
function hasCase(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const without = text.match(/\p{Lo}/gu)?.length ?? 0;
  return without * 2 <= letters;
}
