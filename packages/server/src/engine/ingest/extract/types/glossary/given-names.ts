/** Given names of many languages, from the data file beside this one. */
import data from "./given-names.json" with { type: "json" };

const names: ReadonlySet<string> = new Set(data.names.split(" "));

/** Of a word in small letters; of "mei-ling" the first part is enough. */
export function isGivenName(lower: string): boolean {
  return names.has(lower) || names.has(lower.split("-", 1)[0] ?? "");
}
