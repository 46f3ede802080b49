/**
 * Leaves out of the XML of a DOCX part what a reader does not see or is not to believe, which mammoth would keep: hidden and
 * struck-out text and hidden rows. Superscripts by a style become such of the text itself. What mammoth would leave out with its text is
 * opened: simple fields, text with a direction of its own, and the text above which readings stand; formulas become text.
 */
import { Parser } from "htmlparser2";
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import { createXmlTree, localName, type XmlTree } from "../xml.ts";
import { createXmlNames } from "../xml-names.ts";
import { above, addProperty, type DocxStyle, isOn } from "./docx-styles.ts";
import { officeMathText } from "./office-math.ts";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly start: number;
  /** Of a paragraph or a run: the style that it names, and what it says itself. */
  styleId: string;
  readonly style: DocxStyle;
  /** Where further properties of a run can be written. */
  propertiesAt: number | null;
  /** Fields begin and end in runs of their own, which are needed. */
  hasField: boolean;
}

interface Part {
  readonly styles: ReadonlyMap<string, DocxStyle>;
  readonly open: OpenElement[];
  readonly edits: Edit[];
  /** That is open; null = none. */
  formula: XmlTree | null;
}

const FORMULA = "m:oMath";
const OPENED = new Set(["fldSimple", "dir", "bdo", "ruby", "rubyBase", "m:oMathPara"]);
const READING = "rt";
const MAX_DEPTH = 1_000;
const PREFIX = "w:";
const NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** @param styles by id */
export function shownDocx(xml: string, styles: ReadonlyMap<string, DocxStyle>): string {
  const part: Part = { styles, open: [], edits: [], formula: null };
  const names = createXmlNames();
  const parser = new Parser(
    {
      onopentag(written, attributesWritten) {
        if (part.open.length > MAX_DEPTH)
          throw new UnreadableFile("The file is damaged: its parts are nested too deeply.");
        const { name, attributes } = names.open(written, attributesWritten);
        const isWord = name.startsWith(PREFIX);
        const local = isWord ? name.slice(PREFIX.length) : name;
        if (isWord) addToParents(part, local, attributes[`${PREFIX}val`]);
        const parent = part.open.at(-1);
        if (local === "rPr" && parent?.name === "r") parent.propertiesAt = parser.endIndex + 1;
        const start = parser.startIndex;
        if (name === FORMULA) part.formula ??= createXmlTree();
        part.formula?.open(localName(name), attributes);
        if (OPENED.has(local)) part.edits.push({ start, end: parser.endIndex + 1, text: "" });
        part.open.push({ name: local, start, styleId: "", style: {}, propertiesAt: null, hasField: false });
      },
      ontext: (text) => part.formula?.text(text),
      onclosetag() {
        names.close();
        const element = part.open.pop();
        part.formula?.close(element?.name ?? "");
        const end = parser.endIndex + 1;
        if (element !== undefined && OPENED.has(element.name))
          part.edits.push({ start: parser.startIndex, end, text: "" });
        else if (element?.name === FORMULA) closeFormula(part, element, end);
        else if (element !== undefined) close(part, element, end);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return applyEdits(xml, part.edits);
}

/** Properties stand in an element of their own: `r` › `rPr` › `strike`. */
function addToParents({ open }: Part, name: string, value: string | undefined): void {
  const [outer, parent] = [open.at(-2), open.at(-1)];
  if (name === "fldChar" && parent?.name === "r") parent.hasField = true;
  if (outer === undefined || parent?.name !== `${outer.name}Pr`) return;
  if (name === `${outer.name}Style`) outer.styleId = value ?? "";
  else if (outer.name === "tr" && name === "hidden") outer.style.isHidden = isOn(value);
  else if (outer.name === "r") addProperty(outer.style, name, value);
}

function close({ styles, open, edits }: Part, element: OpenElement, end: number): void {
  const { name, start, style, styleId, propertiesAt, hasField } = element;
  if (name === READING || (name === "tr" && style.isHidden === true)) edits.push({ start, end, text: "" });
  if (name !== "r") return;
  const paragraph = open.findLast((each) => each.name === "p");
  const byStyle = above(styles.get(styleId) ?? {}, styles.get(paragraph?.styleId ?? ""));
  const shown = above(style, byStyle);
  if ((shown.isHidden === true || shown.isStruck === true) && !hasField) edits.push({ start, end, text: "" });
  else if (style.position === undefined && shown.position !== undefined && propertiesAt !== null) {
    const text = `<w:vertAlign xmlns:w="${NAMESPACE}" w:val="${shown.position.replace(/\W/g, "")}"/>`;
    edits.push({ start: propertiesAt, end: propertiesAt, text });
  }
}

/** Puts the text of the formula in its place. One within another is a part of that. */
function closeFormula(part: Part, { start }: OpenElement, end: number): void {
  if (part.open.some(({ name }) => name === FORMULA)) return;
  const formula = part.formula?.root();
  part.formula = null;
  const paragraph = part.open.findLast((each) => each.name === "p");
  const isHidden = (styleId: string) => {
    const style = part.styles.get(styleId);
    return style?.isHidden === true || style?.isStruck === true;
  };
  const isShown = formula !== undefined && !isHidden(paragraph?.styleId ?? "");
  const shown = isShown ? officeMathText(formula, isHidden) : "";
  const escaped = shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const text = `<w:r xmlns:w="${NAMESPACE}"><w:t xml:space="preserve">${escaped}</w:t></w:r>`;
  part.edits.push({ start, end, text });
}

function applyEdits(xml: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    // Within what is left out already.
    if (start < at) continue;
    pieces.push(xml.slice(at, start), text);
    at = end;
  }
  return pieces.join("") + xml.slice(at);
}
