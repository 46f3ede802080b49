/** The rules of style sheets, as far as they are needed: selectors and declarations as they are written. */

export interface CssRule {
  /** With commas between them. */
  readonly selectors: string;
  /** What the outermost rule around it begins with, such as `@media print`; null = none is around it. */
  readonly within: string | null;
  /** With semicolons between them. */
  readonly declarations: string;
}

interface OpenRule {
  readonly selectors: string;
  readonly declarations: string[];
}

/** In the order in which they end. */
export function readRules(css: string): readonly CssRule[] {
  const rules: CssRule[] = [];
  const open: OpenRule[] = [];
  let text = "";
  const close = () => {
    const rule = open.pop();
    if (rule === undefined) return;
    const { selectors, declarations } = rule;
    const within = open[0]?.selectors ?? null;
    rules.push({ selectors, within, declarations: declarations.join(";") });
  };
  for (const piece of withoutComments(css).split(/([{}])/)) {
    if (piece !== "{" && piece !== "}") {
      text = piece;
      open.at(-1)?.declarations.push(piece);
    } else if (piece === "}") close();
    else open.push({ selectors: text.slice(text.lastIndexOf(";") + 1).trim(), declarations: [] });
  }
  while (open.length > 0) close();
  return rules;
}

function withoutComments(css: string): string {
  const [first = "", ...others] = css.split("/*");
  return first + others.map((part) => part.split("*/").slice(1).join("*/")).join("");
}
