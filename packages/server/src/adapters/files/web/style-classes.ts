/** What a page's style sheet says of elements, as far as it changes what a text means: hidden, struck out, higher or lower than the line. */
import { type CssRule, readRules } from "./css-rules.ts";
import { childElements, type HtmlElement, type HtmlNode } from "./html-node.ts";
import { type IsHiddenByRules, readHiding } from "./style-hiding.ts";

/** More is a design, not the marks of a text. */
const MAX_CSS_CHARACTERS = 2_000_000;
const SELECTOR = /^(?:[a-z][a-z0-9]{0,20})?\.([\w-]{1,100})$/i;
const DECLARATIONS =
  /(?:text-decoration(?:-line)?\s{0,4}:[^;:}]{0,40}line-through|vertical-align\s{0,4}:\s{0,4}su(?:per|b))/gi;

const MARKS = /text-decoration|vertical-align/i;

/** "text-decor" and "vertical-a" tell the two kinds apart. */
const KIND_UNITS = 10;

/** Writes the declarations of classes, and what is hidden, into the elements that have them. @param css of files beside the page */
export function applyClasses(nodes: readonly HtmlNode[], css: string): void {
  const rules = readRules([css, ...sheetsOf(nodes)].join("\n").slice(0, MAX_CSS_CHARACTERS));
  const classes = readClasses(rules);
  const isHidden = readHiding(rules);
  if (rules.length > 0) for (const element of childElements(nodes)) applyTo(element, classes, isHidden);
}

/** Not those that count only without scripts, or for printing. */
function sheetsOf(nodes: readonly HtmlNode[]): readonly string[] {
  return childElements(nodes).flatMap(({ name, attribs, children }) => {
    if (name === "noscript" || name === "template") return [];
    if (name !== "style") return sheetsOf(children);
    if (!/^\s{0,99}$|\ball\b|\bscreen\b/i.test(attribs["media"] ?? "")) return [];
    return children.map((child) => (child.type === "text" ? child.data : ""));
  });
}

function applyTo(
  element: HtmlElement,
  classes: ReadonlyMap<string, string>,
  isHidden: IsHiddenByRules,
): void {
  const hidden = isHidden(element);
  const { class: names = "", style: own = "" } = element.attribs;
  // What stands in the element itself counts more.
  const style = MARKS.test(own) ? undefined : firstStyle(names, classes);
  if (style !== undefined) element.attribs["style"] = `${own};${style}`;
  if (hidden) element.attribs["style"] = `${element.attribs["style"] ?? ""};display:none`;
  for (const child of childElements(element.children)) applyTo(child, classes, isHidden);
}

function firstStyle(names: string, classes: ReadonlyMap<string, string>): string | undefined {
  const known = names.split(/\s/).find((name) => classes.has(name));
  return known === undefined ? undefined : classes.get(known);
}

/** Of rules for a class alone: not within `@media`, and not of a class within another or under the pointer. */
function readClasses(rules: readonly CssRule[]): ReadonlyMap<string, string> {
  const classes = new Map<string, string>();
  for (const { selectors, within, declarations } of rules) {
    if (within !== null) continue;
    const style = new Map<string, string>();
    // Of each kind the last one counts.
    for (const declaration of declarations.match(DECLARATIONS) ?? [])
      style.set(declaration.slice(0, KIND_UNITS).toLowerCase(), declaration);
    addRule(classes, selectors, [...style.values()].join(";"));
  }
  return classes;
}

function addRule(classes: Map<string, string>, selectors: string, style: string): void {
  if (style === "") return;
  for (const selector of selectors.split(",")) {
    const [, name] = SELECTOR.exec(selector.trim()) ?? [];
    if (name !== undefined) classes.set(name, style);
  }
}
