/** Small faults that can be planted in a TypeScript file: operators exchanged, conditions turned round, calls left out. */
import { parseSync } from "vite";

export interface Mutant {
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** The text of that line: it names the place also after lines above it have changed. */
  readonly code: string;
  /** Offsets in UTF-16 code units of the text that is replaced. */
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Operators that the type checker accepts in each other's place. */
const exchanges: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
  "+=": "-=",
  "-=": "+=",
  "<<": ">>>",
  ">>>": "<<",
  "&": "|",
  "|": "&",
};

/** Every mutant of a file, in the order of the text. */
export function findMutants(file: string, text: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const lines = text.split("\n");
  const add = (start: number, end: number, replacement: string) => {
    const line = text.slice(0, start).split("\n").length;
    mutants.push({
      file,
      line,
      code: lines[line - 1]?.trim() ?? "",
      start,
      end,
      original: text.slice(start, end),
      replacement,
    });
  };
  visit(program as unknown as Node, (node) => mutate(node, text, add)); // The parser's own type has no index.
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Types are not visited: a change in one cannot be seen at run time. */
function visit(node: Node, look: (node: Node) => void): void {
  if (node.type.startsWith("TS") && !hasValue.has(node.type)) return;
  if (node.type === "ImportDeclaration") return;
  if (isDefaultOfElement(node)) {
    if (isNode(node["left"])) visit(node["left"], look);
    return;
  }
  look(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, look);
  }
}

/**
 * `numbers[index] ?? 0`: the type checker asks for the default of every element, and nearly none is ever used. Its mutants
 * would be equivalent.
 */
function isDefaultOfElement({ operator, left, right }: Node): boolean {
  if (operator !== "??" || !isNode(left) || !isNode(right)) return false;
  return left.type === "MemberExpression" && left["computed"] === true && right["value"] === 0;
}

/** Of TypeScript's own syntax, what holds expressions. */
const hasValue = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function mutate(node: Node, text: string, add: (start: number, end: number, replacement: string) => void) {
  const { left, right, operator, argument } = node;
  if (isNode(left) && isNode(right) && typeof operator === "string") {
    const exchange = exchanges[operator];
    const at = text.indexOf(operator, left.end);
    const joinsTexts = operator === "+" && /["'`]/.test(text.slice(left.start, right.end));
    if (exchange !== undefined && at >= 0 && at < right.start && !joinsTexts) {
      add(at, at + operator.length, exchange);
    }
    if (operator === "??") add(left.end, right.end, "!");
  }
  if (node.type === "UnaryExpression" && operator === "!" && isNode(argument)) {
    add(node.start, argument.start, "");
  }
  if (node.type === "ConditionalExpression") exchangeBranches(node, text, add);
  if (node.type === "IfStatement" && isNode(node["test"])) {
    add(node["test"].start, node["test"].end, "false");
  }
  if (node.type === "Literal" && typeof node["value"] === "number") {
    add(node.start, node.end, String(node["value"] + 1));
  }
  if (node.type === "Literal" && typeof node["value"] === "boolean") {
    add(node.start, node.end, String(!node["value"]));
  }
  const { expression } = node;
  if (node.type === "ExpressionStatement" && isNode(expression) && isCall(expression)) {
    add(node.start, node.end, ";");
  }
}

function isCall({ type, argument }: Node): boolean {
  return type === "CallExpression" || (type === "AwaitExpression" && isNode(argument) && isCall(argument));
}

function exchangeBranches(
  { consequent, alternate }: Node,
  text: string,
  add: (start: number, end: number, replacement: string) => void,
): void {
  if (!isNode(consequent) || !isNode(alternate)) return;
  const [yes, no] = [
    text.slice(consequent.start, consequent.end),
    text.slice(alternate.start, alternate.end),
  ];
  const between = text.slice(consequent.end, alternate.start);
  add(consequent.start, alternate.end, `${no}${between}${yes}`);
}
