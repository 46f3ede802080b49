/** What formulas and style sheets of a page cost grows with their length alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../test/support/growth.ts";
import { findElement, type HtmlElement, parseHtml } from "./html-node.ts";
import { mathText } from "./math-text.ts";
import { applyClasses } from "./style-classes.ts";

function formula(content: string): string {
  const math = findElement(parseHtml(`<math>${content}</math>`), ({ name }) => name === "math");
  assert.ok(math !== null && math !== undefined);
  return mathText(math);
}

const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}<mi>x</mi>${close.repeat(depth)}`;

test("a formula within a formula is read once, and each member of a row", async () => {
  for (const name of ["mrow", "mstyle", "msqrt", "mo", "semantics"])
    await assertLinear(name, 5, (depth) => formula(nested(depth, `<${name}>`, `</${name}>`)));
  await assertLinear("fractions", 5, (depth) =>
    formula(nested(depth, "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>1</mn><mo>+</mo>", "</mrow></mfrac>")),
  );
  await assertLinear("members of a row", 2_000, (count) => formula("<mi>x</mi>".repeat(count)));
  await assertLinear("numbers of a row", 2_000, (count) => formula("<mn>1</mn>".repeat(count)));
  assert.equal(formula("<mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>"), "1 1/2");
  assert.equal(formula("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>"), "√(x+1)");
});

const styled = (css: string, name: string) => {
  const nodes = parseHtml(`<style>${css}</style><p class="${name}">x</p>`);
  applyClasses(nodes, "");
  return findElement(nodes, (element: HtmlElement) => element.name === "p")?.attribs["style"];
};

test("the selectors of a rule are read once, and a class is given one declaration of each kind", async () => {
  await assertLinear("pieces of a rule", 200, (count) =>
    styled(`${".a,".repeat(count)}.b{${"vertical-align:sub{}".repeat(count)}}`, "b"),
  );
  const many = `.b{${"vertical-align:sub;".repeat(50)}text-decoration:line-through;vertical-align:super}`;
  assert.equal(styled(many, "b"), ";vertical-align:super;text-decoration:line-through");
  assert.equal(styled(".a,p.b{vertical-align:sub", "b"), ";vertical-align:sub");
  assert.equal(styled("@media print{.b{vertical-align:sub}}", "b"), undefined);
});

test("what hides elements is looked up by one of their marks", async () => {
  await assertLinear("rules and elements", 500, (count) => {
    const rules = Array.from({ length: count }, (_, at) => `.a.b${at}{display:none}`).join("");
    applyClasses(parseHtml(`<style>${rules}</style>${'<p class="a b c">x</p>'.repeat(count)}`), "");
  });
});

test("a rule of many selectors and many declarations, and an element of many classes, take time in proportion to their length", async () => {
  await assertLinear("selectors and declarations", 1_000, (count) => {
    const css = `${"a,".repeat(count)}b{${"display:none;".repeat(count)}}`;
    applyClasses(parseHtml(`<style>${css}</style><b>x</b>`), "");
  });
  await assertLinear("classes and declarations", 2_000, (count) => {
    const sheet = "<style>.a{vertical-align:sub}</style>";
    applyClasses(
      parseHtml(`${sheet}<p class="${"a ".repeat(count)}" style="${"x:y;".repeat(count)}">x</p>`),
      "",
    );
  });
});
