/**
 * Which elements a page's style sheet hides: by selectors of a name, classes and an id. What other selectors or other widths of the window
 * may show counts as shown, because a text that is lost is the greater harm.
 */
import type { CssRule } from "./css-rules.ts";
import type { HtmlElement } from "./html-node.ts";

export type IsHiddenByRules = (element: HtmlElement) => boolean;

interface Compound {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
}

interface Display {
  readonly compound: Compound;
  readonly property: string;
  readonly isHidden: boolean;
  /** Of two that match, the greater one counts; of equal ones the later one. */
  readonly weight: number;
  readonly order: number;
}

/** What a page shows by a script when it is ready is its text all the same. */
const WHOLE_PAGE: ReadonlySet<string> = new Set(["html", "body", "main"]);
const DECLARATION =
  /^\s{0,99}(display|visibility)\s{0,9}:\s{0,9}([a-z-]{1,30})\s{0,9}(!\s{0,9}important)?\s{0,99}$/i;
const HIDES = /^(?:none|hidden|collapse)$/i;
const COMPOUND = /^(?:[a-z][a-z0-9-]{0,30}|\*)?(?:[.#][\w-]{1,100}){0,9}$/i;
/** Not as a page is shown at first, or of something other than the element. */
const NEVER = /::|:(?:hover|focus|active|target|checked|visited|before|after|first-l)/i;
/** Media other than the screen, and what is no selector. */
const ELSEWHERE = /^@(?:media\s{1,9}(?:only\s{1,9})?(?:print|speech)|(?:-\w{1,9}-)?keyframes|font|page)/i;
const WEIGHTS = { important: 1_000_000_000, id: 1_000_000, class: 1_000, name: 1 };
/** More rules or classes for one thing are a design, not the marks of a text. */
const MAX_RULES_PER_KEY = 100;
const MAX_CLASSES = 50;

export function readHiding(rules: readonly CssRule[]): IsHiddenByRules {
  const byKey = new Map<string, Display[]>();
  for (const display of rules.flatMap((rule, order) => displaysOf(rule, order))) {
    const key = keyOf(display.compound);
    const known = byKey.get(key) ?? [];
    byKey.set(key, known);
    if (known.length < MAX_RULES_PER_KEY) known.push(display);
  }
  if (![...byKey.values()].some((list) => list.some(({ isHidden }) => isHidden))) return () => false;
  return (element) => isHidden(element, byKey);
}

function displaysOf({ selectors, within, declarations }: CssRule, order: number): readonly Display[] {
  if (selectors.startsWith("@") || (within !== null && ELSEWHERE.test(within))) return [];
  // Of each property the last one counts, and an important one more: a rule has few, however long its list of selectors is.
  const found = new Map<string, Pick<Display, "property" | "isHidden" | "weight">>();
  for (const each of declarations.split(";")) {
    const [, name = "", value = "", important] = DECLARATION.exec(each) ?? [];
    if (name === "" || /^(?:inherit|revert|unset)/i.test(value)) continue;
    const property = name.toLowerCase();
    const weight = important === undefined ? 0 : WEIGHTS.important;
    found.set(`${property} ${weight}`, { property, isHidden: HIDES.test(value), weight });
  }
  if (found.size === 0) return [];
  return selectors.split(",").flatMap((written) => {
    const selector = written.trim();
    if (NEVER.test(selector)) return [];
    const isKnown = within === null && selector !== "" && COMPOUND.test(selector);
    const compound = compoundOf(isKnown ? selector : lastCompound(selector));
    if (compound === null) return [];
    const weight = weightOf(selector);
    return [...found.values()]
      .filter((each) => isKnown || !each.isHidden)
      .map((each) => ({ ...each, compound, order, weight: each.weight + weight }));
  });
}

/** Of `.page > p.note[lang]:first-child` the part `p.note`. */
function lastCompound(selector: string): string {
  const last = selector.split(/[\s>+~]/).at(-1) ?? "";
  return last.replace(/^&/, "").replace(/[[:].*$/s, "");
}

function compoundOf(text: string): Compound | null {
  if (!COMPOUND.test(text)) return null;
  const [tag = "", ...parts] = text.split(/(?=[.#])/);
  const all = /^[.#]/.test(tag) ? [tag, ...parts] : parts;
  return {
    tag: /^[.#*]/.test(tag) ? "" : tag.toLowerCase(),
    id: all.find((part) => part.startsWith("#"))?.slice(1) ?? "",
    classes: all.filter((part) => part.startsWith(".")).map((part) => part.slice(1)),
  };
}

function weightOf(selector: string): number {
  const count = (pattern: RegExp) => selector.match(pattern)?.length ?? 0;
  return (
    WEIGHTS.id * count(/#/g) + WEIGHTS.class * count(/[.[:]/g) + WEIGHTS.name * count(/(?:^|[\s>+~])[a-z]/gi)
  );
}

function keyOf({ tag, id, classes }: Compound): string {
  if (id !== "") return `#${id}`;
  return classes[0] === undefined ? tag : `.${classes[0]}`;
}

function isHidden({ name, attribs }: HtmlElement, byKey: ReadonlyMap<string, readonly Display[]>): boolean {
  if (WHOLE_PAGE.has(name)) return false;
  const classes = new Set((attribs["class"] ?? "").split(/\s/).slice(0, MAX_CLASSES));
  const keys = ["", name, `#${attribs["id"] ?? ""}`, ...[...classes].map((each) => `.${each}`)];
  const own = new Set(
    (attribs["style"] ?? "").split(";").map((each) => each.split(":")[0]?.trim().toLowerCase()),
  );
  const counting = new Map<string, Display>();
  for (const display of keys.flatMap((key) => byKey.get(key) ?? [])) {
    const { compound, property, weight, order } = display;
    if (compound.tag !== "" && compound.tag !== name) continue;
    if (compound.id !== "" && compound.id !== attribs["id"]) continue;
    if (!compound.classes.every((each) => classes.has(each))) continue;
    // What stands in the element itself counts more.
    if (weight < WEIGHTS.important && own.has(property)) continue;
    const other = counting.get(property);
    if (other === undefined || weight > other.weight || (weight === other.weight && order >= other.order))
      counting.set(property, display);
  }
  return [...counting.values()].some((display) => display.isHidden);
}
