/** Splits TypeScript into code, strings and comments, precisely enough to search each of them separately. */

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Three texts of the same length as the source. In each, other kinds of text are replaced by spaces; line breaks stay. */
export interface SourceLayers {
  /** Without comments and without the contents of strings, templates and regular expressions. */
  readonly code: string;
  /** Like `code`, with the contents of strings. */
  readonly codeAndStrings: string;
  readonly comments: string;
}

type Kind = "code" | "string" | "comment";

/** After one of these a slash starts a regular expression; after anything else it is a division. */
const beforeRegex =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|await|yield))\s*$/;

/** A token that can start or end something other than code. At most one group matches. */
const literal =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|(?<tick>`)|(?<open>\{)|(?<close>\})|(?<slash>\/)/g;
const regexLiteral = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/[\\\n])+\//y;
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;

export function separate(text: string): SourceLayers {
  const spans = findSpans(text);
  const only = (...kinds: readonly Kind[]) => {
    let result = "";
    let at = 0;
    for (const { kind, start, end } of spans) {
      result += keep(text.slice(at, start), kinds.includes("code"));
      result += keep(text.slice(start, end), kinds.includes(kind));
      at = end;
    }
    return result + keep(text.slice(at), kinds.includes("code"));
  };
  return { code: only("code"), codeAndStrings: only("code", "string"), comments: only("comment") };
}

interface Span {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

function keep(part: string, isKept: boolean): string {
  return isKept ? part : part.replace(/[^\n]/g, " ");
}

/** The strings (without quotes) and comments, in source order. */
function findSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  /** Brace depth at which each open template continues. */
  const templates: number[] = [];
  let depth = 0;
  const template = (start: number): number => {
    const end = start + matchAt(templatePart, text, start).length;
    spans.push({ kind: "string", start, end });
    if (text[end] !== "$") return end + 1;
    templates.push(depth++);
    return end + 2;
  };
  let at = 0;
  for (;;) {
    literal.lastIndex = at;
    const found = literal.exec(text);
    if (found === null) return spans;
    const [token] = found;
    const start = found.index;
    at = start + token.length;
    if (found.groups?.["comment"] !== undefined) spans.push({ kind: "comment", start, end: at });
    else if (found.groups?.["string"] !== undefined)
      spans.push({ kind: "string", start: start + 1, end: at - 1 });
    else if (token === "`") at = template(at);
    else if (token === "{") depth++;
    else if (token === "}") {
      depth--;
      if (templates.at(-1) === depth) {
        templates.pop();
        at = template(at);
      }
    } else if (beforeRegex.test(text.slice(Math.max(0, start - 40), start))) {
      const end = start + matchAt(regexLiteral, text, start).length;
      if (end > start) spans.push({ kind: "string", start: start + 1, end: end - 1 });
      at = Math.max(at, end);
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
