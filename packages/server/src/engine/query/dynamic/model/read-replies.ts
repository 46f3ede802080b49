/** Parses the replies of a language model. Replies are untrusted: invalid parts are dropped. */

export type Route = "fact" | "multi_hop" | "comparison" | "overview" | "time";

export interface Plan {
  readonly route: Route;
  readonly searches: readonly string[];
}

export interface Judgement {
  /** Indexes into the list of judged passages, from 0, best first. */
  readonly useful: readonly number[];
  readonly isEnough: boolean;
  readonly searches: readonly string[];
}

const ROUTES: readonly Route[] = ["fact", "multi_hop", "comparison", "overview", "time"];
const MAX_SEARCHES = 4;
const MAX_SEARCH_UNITS = 400;

/** null for an unusable reply. */
export function readPlan(value: unknown): Plan | null {
  if (!isFields(value)) return null;
  const route = ROUTES.find((each) => each === value["kind"]);
  const searches = searchesOf(value["searches"]);
  return route === undefined ? null : { route, searches };
}

/** `passageCount`: the number of judged passages. null for an unusable reply. */
export function readJudgement(value: unknown, passageCount: number): Judgement | null {
  if (!isFields(value) || typeof value["enough"] !== "boolean") return null;
  const numbers: readonly unknown[] = Array.isArray(value["useful"]) ? value["useful"] : [];
  const useful = numbers.filter(
    (number): number is number =>
      typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= passageCount,
  );
  return {
    useful: [...new Set(useful)].map((number) => number - 1),
    isEnough: value["enough"],
    searches: searchesOf(value["searches"]),
  };
}

function searchesOf(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [];
  return texts
    .filter((text): text is string => typeof text === "string" && text.trim() !== "")
    .slice(0, MAX_SEARCHES)
    .map((text) => text.toWellFormed().replace(/\s+/g, " ").trim().slice(0, MAX_SEARCH_UNITS));
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
