/** Formulas of DOCX and PPTX (Office MathML, ECMA-376 part 1, 22.1) as a line of text. */
import { fraction, operator, root, rowOf, scripts } from "../formula.ts";
import { oneLine } from "../markdown.ts";
import { childElements, descendants, findChild, type XmlElement, xmlText } from "../xml.ts";
import { isOn } from "./docx-styles.ts";

/** @param formula `oMath`, or `oMathPara` with several */
export function officeMathText(formula: XmlElement): string {
  return oneLine(partText(formula));
}

function partText(element: XmlElement): string {
  const part = (name: string) => textOf(findChild(element, name));
  const parts = (name: string) => childElements(element, name).map(partText);
  switch (element.name) {
    case "r":
      return isShown(element) ? childElements(element, "t").map(runText).join("") : "";
    case "f":
      return fraction(part("num"), part("den"));
    case "rad":
      return root(part("e"), part("deg"));
    case "sSup":
    case "sSub":
    case "sSubSup":
      return scripts(part("e"), { below: part("sub"), above: part("sup") });
    case "sPre":
      return scripts("", { below: part("sub"), above: part("sup") }) + part("e");
    case "limLow":
      return scripts(part("e"), { below: part("lim") });
    case "limUpp":
      return scripts(part("e"), { above: part("lim") });
    case "nary":
      return `${scripts(sign(element, "chr", "∫"), { below: part("sub"), above: part("sup") })} ${part("e")}`;
    case "func":
      return `${part("fName")} ${part("e")}`;
    case "d":
      return `${sign(element, "begChr", "(")}${parts("e").join(sign(element, "sepChr", "|"))}${sign(element, "endChr", ")")}`;
    case "m":
      return parts("mr").join("; ");
    case "mr":
      return parts("e").join(", ");
    case "eqArr":
    case "oMathPara":
      return parts(element.name === "eqArr" ? "e" : "oMath").join("; ");
    // Left out by a person, and room that a formula leaves.
    case "del":
    case "moveFrom":
    case "phant":
      return "";
    default:
      return element.name.endsWith("Pr") ? "" : textOf(element);
  }
}

function textOf(element: XmlElement | undefined): string {
  return element === undefined ? "" : rowOf(childElements(element).map(partText));
}

/** A run has one operator, or all that stands between two things that are not plain. */
function runText(text: XmlElement): string {
  return operator(xmlText(text).trim());
}

function isShown(run: XmlElement): boolean {
  return !["vanish", "strike", "dstrike"].some((name) =>
    descendants(run, name).some(({ attributes }) => isOn(attributes["w:val"])),
  );
}

/** The character of a sum, or of parentheses; `usual` where the formula has none, which an empty one is not. */
function sign(element: XmlElement, name: string, usual: string): string {
  const property = findChild(element, `${element.name}Pr`, name);
  return property === undefined ? usual : (property.attributes["m:val"] ?? "");
}
