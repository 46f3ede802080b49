/** What a page's style sheet says of classes, as far as it changes what a text means: struck out, higher or lower than the line. */
import { childElements, findElement, type HtmlElement, type HtmlNode } from "./html-node.ts";

/** More is a design, not the marks of a text. */
const MAX_CSS_CHARACTERS = 2_000_000;
const SELECTOR = /^(?:[a-z][a-z0-9]{0,20})?\.([\w-]{1,100})$/i;
const DECLARATIONS =
  /(?:text-decoration(?:-line)?\s{0,4}:[^;:}]{0,40}line-through|vertical-align\s{0,4}:\s{0,4}su(?:per|b))/gi;

/** "text-decor" and "vertical-a" tell the two kinds apart. */
const KIND_UNITS = 10;

/** Writes the declarations of classes into the elements that have them. @param css of files beside the page */
export function applyClasses(nodes: readonly HtmlNode[], css: string): void {
  const sheets = [css];
  findElement(nodes, (element) => {
    if (element.name === "style")
      for (const child of element.children) if (child.type === "text") sheets.push(child.data);
    return false;
  });
  const classes = readClasses(sheets.join("\n").slice(0, MAX_CSS_CHARACTERS));
  if (classes.size > 0) for (const element of childElements(nodes)) applyTo(element, classes);
}

function applyTo(element: HtmlElement, classes: ReadonlyMap<string, string>): void {
  for (const name of (element.attribs["class"] ?? "").split(/\s/)) {
    const style = classes.get(name);
    // What stands in the element itself counts more.
    if (style !== undefined && !/text-decoration|vertical-align/i.test(element.attribs["style"] ?? ""))
      element.attribs["style"] = `${element.attribs["style"] ?? ""};${style}`;
  }
  for (const child of childElements(element.children)) applyTo(child, classes);
}

/** Of rules for a class alone: not within `@media`, and not of a class within another or under the pointer. */
function readClasses(css: string): ReadonlyMap<string, string> {
  const classes = new Map<string, string>();
  let depth = 0;
  let selector = "";
  let style = new Map<string, string>();
  for (const piece of withoutComments(css).split(/([{}])/)) {
    if (piece === "{") depth++;
    else if (piece === "}") {
      depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      addRule(classes, selector, [...style.values()].join(";"));
      style = new Map();
    } else if (depth === 0) selector = piece.slice(piece.lastIndexOf(";") + 1);
    // Of each kind the last one counts.
    else if (depth === 1)
      for (const declaration of piece.match(DECLARATIONS) ?? [])
        style.set(declaration.slice(0, KIND_UNITS).toLowerCase(), declaration);
  }
  addRule(classes, selector, [...style.values()].join(";"));
  return classes;
}

function addRule(classes: Map<string, string>, selectors: string, style: string): void {
  if (style === "") return;
  for (const selector of selectors.split(",")) {
    const [, name] = SELECTOR.exec(selector.trim()) ?? [];
    if (name !== undefined) classes.set(name, style);
  }
}

function withoutComments(css: string): string {
  const [first = "", ...others] = css.split("/*");
  return first + others.map((part) => part.split("*/").slice(1).join("*/")).join("");
}
