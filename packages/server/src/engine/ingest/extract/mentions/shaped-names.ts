/** Finds names whose form says what they name, in any language: files, options, code, chemical formulas. */
import type { Span } from "../../../../domain/graph.ts";

export type ShapedType = "File" | "Option" | "Code" | "Chemical";

export interface ShapedName extends Span {
  readonly type: ShapedType;
}

const MAX_NAMES = 64;
const MAX_UNITS = 80;

const extensions =
  "bat bin c cfg cmd conf cpp cs css csv db deb dll dmg docx env exe gif go gz h hpp html ico ini ipynb jar java jpeg jpg js json jsonl jsx " +
  "kt lock log md mjs mp3 mp4 odt parquet pdf pem php plist png proto ps1 py rb rpm rs rst scss sh so sql sqlite svg swift tar toml ts " +
  "tsv tsx txt vue wasm wav webp whl xls xlsx xml yaml yml zip";
/** "config/app.yaml", "Dockerfile" is none: a name with a known extension, or a path of two parts or more from a root. */
const file = new RegExp(
  `^(?:(?:~|\\.{1,2})?/)?(?:[\\w@.-]+/){0,12}[\\w@-][\\w@.-]{0,60}\\.(?:${extensions.replaceAll(" ", "|")})$`,
);
const path = /^(?:~|\.{1,2})?\/[\w@.-]+(?:\/[\w@.-]+){1,12}\/?$/;
/** "--dry-run", "KCS_PORT"; not "-5". */
const option = /^(?:--[a-z][\w-]*(?:=\S{0,40})?|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$/;
/** "read_file", "onBadUrl", "list.append()", "std::vector"; not "iPhone", "macOS" or "e.g". */
const code =
  /^(?:_{0,2}[a-z][a-z0-9]*(?:_[a-z0-9]+)+_{0,2}|(?=\w{6})[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|(?:\w+\.){0,6}\w+\(\)|\w+(?:::\w+)+|@[a-z][\w-]*\/[a-z][\w.-]*)$/;
const elements =
  "He|Li|Be|Ne|Na|Mg|Al|Si|Cl|Ar|Ca|Sc|Ti|Cr|Mn|Fe|Co|Ni|Cu|Zn|Ga|Ge|As|Se|Br|Kr|Rb|Sr|Zr|Nb|Mo|Ru|Rh|Pd|Ag|Cd|In|Sn|Sb|Te|Xe|Cs|Ba|La|Ce|Nd|Sm|Eu|Gd|Yb|Lu|Hf|Ta|Re|Os|Ir|Pt|Au|Hg|Tl|Pb|Bi|Th";
/** "LiFePO4", "TiO2": an element of two letters, and a number; without such an element only compounds that everybody knows ("PS5" is none). */
const formula = new RegExp(
  `^(?=.*(?:${elements}))(?=\\D+\\d)(?:(?:${elements}|[HBCNOFPSKVYIWU])\\d{0,2}|[()]\\d?){2,12}$|^(?:CO2|[NS]O[23x]|H2O2?|CH4|NH[34]|HNO3|H2SO4|H3PO4|C\\d{1,2}H\\d{1,2}(?:[NO]\\d?)*)$`,
);

/** In the order of the text, apart. Offsets are into `text`. Linear in its length. */
export function findShapedNames(text: string): readonly ShapedName[] {
  const found: ShapedName[] = [];
  for (const { 0: run, index } of text.matchAll(/[^\s"“”'‘’`,;<>{}|[\]]+/g)) {
    if (found.length >= MAX_NAMES) break;
    const bare = withoutEnds(run);
    if (bare.length < 2 || bare.length > MAX_UNITS) continue;
    const type = shapeOf(bare);
    if (type === null) continue;
    const start = index + run.indexOf(bare);
    found.push({ start, end: start + bare.length, type });
  }
  return found;
}

/** Without the marks of a sentence around it, and brackets that do not belong to it. */
function withoutEnds(run: string): string {
  const bare = run.replace(/^[(*]{1,4}/, "").replace(/[.:!?*]{1,4}$/, "");
  return bare.endsWith(")") && !bare.includes("(") ? bare.slice(0, -1) : bare;
}

export function shapeOf(name: string): ShapedType | null {
  if (option.test(name)) return "Option";
  if (code.test(name)) return "Code";
  if (/^https?:|^www\.|@.+\./.test(name)) return null;
  // "Node.js" is a product.
  if (/^\p{Lu}\p{L}*\.js$/u.test(name)) return null;
  if (file.test(name) || path.test(name)) return "File";
  return formula.test(name) ? "Chemical" : null;
}
