import { maxListed } from "../../../api/ranked-entities.ts";
import { counted } from "../../../components/counted.ts";

export interface ListedCounts {
  /** On all pages together. */
  readonly listed: number;
  /** Of a search counted up to `maxListed`. */
  readonly all: number;
  readonly kind: "all" | "of type" | "search";
}

/** How many entities are listed, of how many and why not all. */
export function listingWords({ listed, all, kind }: ListedCounts): string {
  const entities = counted(all, "entity", "entities");
  if (listed >= all) return kind === "all" ? entities : `${entities} ${all === 1 ? "matches" : "match"}`;
  const least = kind === "search" && all >= maxListed ? "at least " : "";
  const part = `${listed.toLocaleString("en")} of ${least}${all.toLocaleString("en")}`;
  const way = { all: "search or choose a type", "of type": "search", search: "write more of the name" }[kind];
  return `${part} ${kind === "search" ? "matches" : "entities"} are listed, the best connected first: ${way} for others`;
}

/** Of those without relationships, which the service looks for among the first by name; `all`: with and without relationships. */
export function unrelatedWords({ found, all }: { readonly found: number; readonly all: number }): string {
  if (all > maxListed)
    return `${counted(found, "entity", "entities")} among the first ${maxListed.toLocaleString("en")} of ${all.toLocaleString("en")} by name`;
  return `${counted(found, "entity", "entities")} ${found === 1 ? "matches" : "match"}`;
}
