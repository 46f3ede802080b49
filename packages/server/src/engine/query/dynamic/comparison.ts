/**
 * Reads questions that compare two things by a time: "Who died first, A or B?", "Who lived longer, A or B?". English only, and in a few forms that leave
 * no room for more: whatever is added to such a question ("not", "the oldest mother") can turn it into another one.
 */
import type { TimedEvent } from "./stated-year.ts";

export interface Comparison {
  /** As the question writes them, without what stands in brackets behind them. */
  readonly names: readonly [string, string];
  /** With it. */
  readonly titles: readonly [string, string];
  /** Who or what of the named thing the time belongs to: "director"; null = the thing itself. */
  readonly role: string | null;
  /** Asks for the time of one of them. */
  askTime(name: string): string;
  readonly event: TimedEvent;
  /** Compares how long somebody lived, not when something was. */
  readonly isLength: boolean;
  /** Whether the question asks for the later one, or for the longer life. */
  readonly isLater: boolean;
  /** What is said of the one that it asks for: "was born later". */
  readonly verdict: string;
}

const MAX_ASKED_UNITS = 600;
const MAX_NAME_UNITS = 120;
/** Between "which" and what is asked: "which of the two mills". */
const MAX_KIND_WORDS = 4;
const MAX_ROLE_WORDS = 2;
const EARLIER: ReadonlySet<string> = new Set([
  "first",
  "earlier",
  "earliest",
  "the earliest",
  "at an earlier date",
]);
const LATER: ReadonlySet<string> = new Set([
  "last",
  "later",
  "latest",
  "the latest",
  "at a later date",
  "more recently",
  "most recently",
]);
const LONGER: ReadonlySet<string> = new Set([
  "longer",
  "a longer life",
  "the longer life",
  "to an older age",
  "to be older",
]);
/** Begin what is asked. */
const VERBS: ReadonlySet<string> = new Set(["died", "lived", "came", "is", "was", "whose", "has", "have"]);
/** Would make another question of it. */
const OTHERS: ReadonlySet<string> = new Set(["not", "never", "other", "only", ...EARLIER, ...LATER]);
const PARTICIPLE = /^\p{Ll}{1,20}(?:ed|lt|wn|ung|en)$/u;
const CAME_OUT = ["released", "published"];

/** null where nothing is compared, more than two things are, or not by a time. */
export function readComparison(query: string): Comparison | null {
  if (query.length > MAX_ASKED_UNITS) return null;
  const found = namesOf(query.trim());
  if (found === null) return null;
  const words = found.rest.split(/\s+/u).filter((word) => word !== "");
  if (!words.every((word) => /^\p{L}[\p{L}-]*$/u.test(word))) return null;
  const asked = readAsked(words.map((word, at) => (at === 0 ? word.toLowerCase() : word)));
  return asked === null ? null : { names: found.names, titles: found.titles, ...asked };
}

type Asked = Omit<Comparison, keyof Names>;
type Names = Pick<Comparison, "names" | "titles">;

function readAsked([first = "", ...words]: readonly string[]): Asked | null {
  if (first === "did") return readEvent(words[0] === "die" ? ["died", ...words.slice(1)] : words);
  if (first === "was" || first === "were") return readEvent(["was", ...words]);
  if (first === "whose") return readOwned([first, ...words]);
  if (first !== "who" && first !== "which") return null;
  const verb = words.findIndex((word) => VERBS.has(word));
  const isKind = first === "who" ? verb === 0 : verb >= 0 && verb <= MAX_KIND_WORDS;
  if (!isKind || words.slice(0, verb).some((word) => OTHERS.has(word))) return null;
  const asked = words.slice(verb);
  if (first === "which" && (asked[0] === "whose" || asked[0] === "has" || asked[0] === "have"))
    return readOwned(asked);
  return readEvent(asked);
}

/** "whose director died first", "has the director (who) died first", "has the younger director" */
function readOwned([first, ...words]: readonly string[]): Asked | null {
  const rest = first === "whose" ? words : words[0] === "the" || words[0] === "a" ? words.slice(1) : [];
  const [age = "", ...owner] = rest;
  if (first !== "whose" && ["older", "younger"].includes(age))
    return readOwned(["whose", ...owner, "is", age]);
  const verb = rest.findIndex((word) => VERBS.has(word) || ["who", "that", "born"].includes(word));
  const role = rest.slice(0, Math.max(0, verb));
  if (role.length === 0 || role.length > MAX_ROLE_WORDS || role.some((word) => OTHERS.has(word))) return null;
  const isRelative = first !== "whose" && (rest[verb] === "who" || rest[verb] === "that");
  const said = rest.slice(isRelative ? verb + 1 : verb);
  const asked = readEvent(said[0] === "born" ? ["was", ...said] : said);
  return asked === null ? null : { ...asked, role: role.join(" ") };
}

/** Everything from the verb on. */
function readEvent(words: readonly string[]): Asked | null {
  const [verb = "", what = "", ...more] = words;
  if (verb === "lived") return LONGER.has([what, ...more].join(" ")) ? LIFE : null;
  if (verb === "died") {
    return timed([what, ...more], { said: "died", event: "died", ask: (name) => `When did ${name} die?` });
  }
  if (["came", "come"].includes(verb) && what === "out") {
    return timed(more, { said: "came out", event: CAME_OUT, ask: (name) => `When was ${name} released?` });
  }
  if (verb === "was" && (what === "born" || PARTICIPLE.test(what))) {
    return timed(more, { said: `was ${what}`, event: [what], ask: (name) => `When was ${name} ${what}?` });
  }
  const isAge = (verb === "is" || verb === "was") && ["", "than the other"].includes(more.join(" "));
  if (!isAge || (what !== "older" && what !== "younger")) return null;
  return {
    role: null,
    askTime: (name) => `When was ${name} born?`,
    event: ["born"],
    isLength: false,
    isLater: what === "younger",
    verdict: `${verb} ${what}`,
  };
}

function timed(
  order: readonly string[],
  { said, event, ask }: { readonly said: string; readonly event: TimedEvent; ask(name: string): string },
): Asked | null {
  const told = order.join(" ");
  const isLater = LATER.has(told);
  if (!isLater && !EARLIER.has(told)) return null;
  return {
    role: null,
    askTime: ask,
    event,
    isLength: false,
    isLater,
    verdict: `${said} ${isLater ? "later" : "earlier"}`,
  };
}

const LIFE: Asked = {
  role: null,
  askTime: (name) => `When was ${name} born?`,
  event: ["born"],
  isLength: true,
  isLater: true,
  verdict: "lived longer",
};

/** The two names, and the question without them. */
function namesOf(query: string): (Names & { readonly rest: string }) | null {
  const [before = "", after, ...more] = query.split(/\sor\s/u);
  if (after === undefined || more.length > 0) return null;
  const asked = before.indexOf(", ");
  const isOpen = asked < 0;
  // "Which is older, A or B?"; "Was A or B built first?"
  const start = isOpen ? before.search(/\s\p{Lu}/u) + 1 : asked + 2;
  const closed = lengthBeforeMarks(after);
  const end = isOpen && /\s\p{Ll}/u.test(after) ? after.search(/\s\p{Ll}/u) : closed;
  if (start < 1 || end < 1) return null;
  const titles = [before.slice(start), after.slice(0, end)] as const;
  const [one = "", other = ""] = titles.map(withoutAside);
  const areNames = [one, other].every(
    (name) => name !== "" && name.length <= MAX_NAME_UNITS && /^["“‘']?[\p{Lu}\p{N}]/u.test(name),
  );
  if (!areNames) return null;
  const rest = isOpen ? `${before.slice(0, start)} ${after.slice(end)}` : before.slice(0, asked);
  return { names: [one, other], titles, rest: rest.slice(0, lengthBeforeMarks(rest)) };
}

/** What stands in brackets tells things of one name apart, which sentences about them seldom do. */
export function withoutAside(name: string): string {
  const trimmed = name.trim().replace(/,$/u, "");
  return trimmed.endsWith(")") ? trimmed.slice(0, Math.max(0, trimmed.lastIndexOf("("))).trim() : trimmed;
}

function lengthBeforeMarks(text: string): number {
  let end = text.length;
  while (end > 0 && /[\s?]/u.test(text[end - 1] ?? "")) end--;
  return end;
}
