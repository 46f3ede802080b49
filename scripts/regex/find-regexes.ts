/** The regular expressions of a source file. */
import { type ESTree, parseSync, Visitor } from "vite";

export interface SourceRegex {
  readonly line: number;
  /** The literal, or the call that builds it. */
  readonly code: string;
  /** null where a call builds it. */
  readonly literal: { readonly source: string; readonly flags: string } | null;
}

const COPY = /^new RegExp\((\w+)\)$/;

/** Without copies of a regular expression of the same file. */
export function findRegexes(path: string, text: string): readonly SourceRegex[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found: SourceRegex[] = [];
  const add = ({ start, end }: ESTree.Span, literal: SourceRegex["literal"]) =>
    found.push({ line: text.slice(0, start).split("\n").length, code: text.slice(start, end), literal });
  const addCall = (node: ESTree.NewExpression | ESTree.CallExpression) => {
    const copied = COPY.exec(text.slice(node.start, node.end))?.[1];
    const isCopy = new RegExp(`const ${copied} =\\s+(?:/|new RegExp)`).test(text);
    if (node.callee.type === "Identifier" && node.callee.name === "RegExp" && !isCopy) add(node, null);
  };
  new Visitor({
    Literal(node) {
      if ("regex" in node) add(node, { source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: addCall,
    CallExpression: addCall,
  }).visit(program);
  return found;
}
