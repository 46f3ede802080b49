/** Formulas of DOCX and PPTX (Office MathML, ECMA-376 part 1, 22.1) as a line of text. */
import { fraction, operator, root, rowOf, scripts } from "../formula.ts";
import { oneLine } from "../markdown.ts";
import { childElements, descendants, findChild, type XmlElement, xmlText } from "../xml.ts";
import { isOn } from "./docx-styles.ts";

/** Whether a run is not shown by a style, beside what it says itself. */
export type IsHiddenByStyle = (styleId: string) => boolean;

/** @param formula `oMath`, or `oMathPara` with several */
export function officeMathText(formula: XmlElement, isHidden: IsHiddenByStyle = () => false): string {
  return oneLine(partText(formula, isHidden));
}

function partText(element: XmlElement, isHidden: IsHiddenByStyle): string {
  const part = (name: string) => textOf(findChild(element, name), isHidden);
  const parts = (name: string) => childElements(element, name).map((child) => partText(child, isHidden));
  switch (element.name) {
    case "r":
      return isShown(element, isHidden) ? childElements(element, "t").map(runText).join("") : "";
    case "f":
      return fraction(part("num"), part("den"));
    case "rad":
      return root(part("e"), isOnIn(element, "degHide") ? "" : part("deg"));
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
      return `${scripts(sign(element, "chr", "∫"), {
        below: isOnIn(element, "subHide") ? "" : part("sub"),
        above: isOnIn(element, "supHide") ? "" : part("sup"),
      })} ${part("e")}`;
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
    case "phant":
      return isOnIn(element, "show", true) ? part("e") : "";
    // Left out by a person.
    case "del":
    case "moveFrom":
      return "";
    default:
      return element.name.endsWith("Pr") ? "" : textOf(element, isHidden);
  }
}

function textOf(element: XmlElement | undefined, isHidden: IsHiddenByStyle): string {
  return element === undefined ? "" : rowOf(childElements(element).map((child) => partText(child, isHidden)));
}

/** A run has one operator, or all that stands between two things that are not plain. */
function runText(text: XmlElement): string {
  return operator(xmlText(text).trim());
}

/** By what a run of DOCX, or of PPTX, says itself, and by its style. */
function isShown(run: XmlElement, isHidden: IsHiddenByStyle): boolean {
  const isMarked = ["vanish", "strike", "dstrike"].some((name) =>
    descendants(run, name).some(({ attributes }) => isOn(attributes["w:val"])),
  );
  const properties = childElements(run, "rPr");
  const isStruck = properties.some(({ attributes }) =>
    /^(?:sng|dbl)Strike$/.test(attributes["strike"] ?? ""),
  );
  const isStyled = descendants(run, "rStyle").some(({ attributes }) => isHidden(attributes["w:val"] ?? ""));
  return !isMarked && !isStruck && !isStyled;
}

/** A property that can be on or off; `usual` where the formula does not say it. */
function isOnIn(element: XmlElement, name: string, usual = false): boolean {
  const property = findChild(element, `${element.name}Pr`, name);
  return property === undefined ? usual : isOn(property.attributes["m:val"]);
}

/** The character of a sum, or of parentheses; `usual` where the formula has none, which an empty one is not. */
function sign(element: XmlElement, name: string, usual: string): string {
  const property = findChild(element, `${element.name}Pr`, name);
  return property === undefined ? usual : (property.attributes["m:val"] ?? "");
}
