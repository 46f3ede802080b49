/** Finds names whose form says what they name, in any language: files, options, code, chemical formulas, active substances; and identifiers. */
import type { Span } from "../../../../domain/graph.ts";

export type ShapedType = "File" | "Option" | "Code" | "Chemical";

export interface ShapedName extends Span {
  readonly type: ShapedType;
}

const MAX_NAMES = 64;
const MAX_UNITS = 80;

const extensions = new Set(
  (
    "bat bin c cfg cmd conf cpp cs css csv db deb dll dmg docx env exe gif go gz h hpp html ico ini ipynb jar java jpeg jpg js json jsonl jsx " +
    "kt lock log md mjs mp3 mp4 odt parquet pdf pem php plist png proto ps1 py rb rpm rs rst scss sh so sql sqlite svg swift tar toml ts " +
    "tsv tsx txt vue wasm wav webp whl xls xlsx xml yaml yml zip"
  ).split(" "),
);
const element =
  /(?<two>He|Li|Be|Ne|Na|Mg|Al|Si|Cl|Ar|Ca|Sc|Ti|Cr|Mn|Fe|Co|Ni|Cu|Zn|Ga|Ge|As|Se|Br|Kr|Rb|Sr|Zr|Nb|Mo|Ru|Rh|Pd|Ag|Cd|In|Sn|Sb|Te|Xe|Cs|Ba|La|Ce|Nd|Sm|Eu|Gd|Yb|Lu|Hf|Ta|Re|Os|Ir|Pt|Au|Hg|Tl|Pb|Bi|Th)\d{0,2}|[HBCNOFPSKVYIWU]\d{0,2}|[()]\d?/y;
/** Without an element of two letters a formula looks like "PS5". */
const compounds = new Set("CO2 NO2 NO3 NOx SO2 SO3 H2O H2O2 CH4 NH3 NH4 HNO3 H2SO4 H3PO4".split(" "));

/**
 * Ends of international nonproprietary names of medicines, of those that few other words have (WHO, "The use of stems in the selection of
 * international nonproprietary names for pharmaceutical substances", 2018).
 */
const substanceEnds = (
  "mab tinib parib ciclib statin olol sartan prazole conazole nidazole dipine gliptin gliflozin glitazone formin " +
  "floxacin cillin mycin cycline rubicin platin taxel trexate trexed azepam zolam triptan setron lukast profen " +
  "coxib fenac xaban gatran parin tropium salazine thiazide semide dronate ciclovir navir buvir tegravir vudine " +
  "caine curium barbital oxetine urad fibrate"
).split(" ");

/** A word of letters, three or more of them before such an end. */
function isSubstance(name: string): boolean {
  return (
    /^\p{L}+$/u.test(name) && substanceEnds.some((end) => name.length >= end.length + 3 && name.endsWith(end))
  );
}

/** In the order of the text, apart. Offsets are into `text`. Linear in its length. */
export function findShapedNames(text: string): readonly ShapedName[] {
  return findFormed(text, shapeOf).map(({ form: type, ...span }) => ({ ...span, type }));
}

/** "RFI-0932", "NtM-61/24", "P1-0087": letters and digits around a hyphen or slash; what they identify is open. Linear. */
export function findIdentifiers(text: string): readonly Span[] {
  return findFormed(text, (name) => (isIdentifier(name) ? true : null)).map(({ start, end }) => ({
    start,
    end,
  }));
}

function findFormed<Form>(
  text: string,
  formOf: (name: string) => Form | null,
): readonly (Span & { readonly form: Form })[] {
  const found: (Span & { readonly form: Form })[] = [];
  for (const { 0: run, index } of text.matchAll(/[^\s"“”'‘’`,;<>{}|[\]]+/g)) {
    if (found.length >= MAX_NAMES) break;
    const bare = withoutEnds(run);
    if (bare.length < 2 || bare.length > MAX_UNITS) continue;
    const form = formOf(bare);
    if (form === null) continue;
    const start = index + run.indexOf(bare);
    found.push({ start, end: start + bare.length, form });
  }
  return found;
}

/** Without the marks of a sentence around it, and brackets that do not belong to it. */
function withoutEnds(run: string): string {
  const bare = run.replace(/^[(*]{1,4}/, "").replace(/[.:!?*]{1,4}$/, "");
  return bare.endsWith(")") && !bare.includes("(") ? bare.slice(0, -1) : bare;
}

export function shapeOf(name: string): ShapedType | null {
  if (isOption(name)) return "Option";
  if (isCode(name)) return "Code";
  if (isFile(name)) return "File";
  return isFormula(name) || isSubstance(name) ? "Chemical" : null;
}

/** Not "2-day", "2-CUP", "B2B" or "2019-20". */
function isIdentifier(name: string): boolean {
  if (!/^[\p{Lu}\d][\p{L}\d]{0,7}(?:[-/][\p{Lu}\d]{1,8}){1,3}$/u.test(name)) return false;
  return (
    !/^\d+-\p{Lu}{3,}$/u.test(name) && /\p{Lu}/u.test(name) && /\d{2}|\d[-/]\p{Lu}|\p{Lu}[-/]\d/u.test(name)
  );
}

/** "--dry-run", "KCS_PORT"; not "-5". */
function isOption(name: string): boolean {
  const [flag = ""] = name.split("=", 1);
  if (flag.startsWith("--")) return /^--[a-z][\w-]*$/.test(flag);
  return /^[A-Z][A-Z0-9_]*[A-Z0-9]$/.test(name) && name.includes("_") && !name.includes("__");
}

/** "read_file", "onBadUrl", "list.append()", "std::vector", "@tarn/client"; not "iPhone", "macOS" or "mmHg". */
function isCode(name: string): boolean {
  if (name.endsWith("()")) return /^[\w.]+$/.test(name.slice(0, -2));
  if (name.includes("::")) return /^\w[\w:]*\w$/.test(name);
  if (name.startsWith("@")) return /^@[a-z][\w-]*\/[a-z][\w.-]*$/.test(name);
  if (/^[a-z0-9_]+$/.test(name)) return /[a-z]/.test(name) && /[a-z0-9]_[a-z0-9]/.test(name);
  return name.length >= 6 && /^[a-z]{2}[A-Za-z0-9]*$/.test(name) && /[A-Z][a-z]/.test(name);
}

/** "src/app.ts", "notes.md", "/etc/hosts", "./run"; not "Node.js", which is a product, and no address. */
function isFile(name: string): boolean {
  if (!/^[\w@./~-]+$/.test(name)) return false;
  const parts = name.split("/");
  const last = parts.at(-1) ?? "";
  const dot = last.lastIndexOf(".");
  if (parts.length === 1) {
    if (/^[A-Z][a-z]+\.js$/.test(name) || name.includes("@")) return false;
    return dot > 0 && extensions.has(last.slice(dot + 1));
  }
  const isRooted = /^(?:~|\.{0,2})$/.test(parts[0] ?? "");
  const named = parts.filter((part) => /[A-Za-z]/.test(part)).length;
  return isRooted
    ? named >= 2 || (named === 1 && parts[0] !== "")
    : dot > 0 && extensions.has(last.slice(dot + 1));
}

/** "LiFePO4", "TiO2", "Mg(OH)2": elements, with a number behind one of them. */
function isFormula(name: string): boolean {
  if (compounds.has(name) || /^C\d{1,2}H\d{1,2}(?:[NO]\d?){0,4}$/.test(name)) return true;
  let [count, hasTwo] = [0, false];
  element.lastIndex = 0;
  while (element.lastIndex < name.length) {
    const match = element.exec(name);
    if (match === null) return false;
    count++;
    hasTwo ||= match.groups?.["two"] !== undefined;
  }
  return count > 1 && hasTwo && /\d/.test(name);
}
