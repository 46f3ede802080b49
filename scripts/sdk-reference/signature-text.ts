/** Function types as text. */

const lineLength = 100;

/**
 * `name(parameters): Result`, a parameter per line where one line is too long.
 * @param arrow the type of the function: `(parameters) => Result`
 */
export function signatureText(name: string, arrow: string): string {
  const start = arrow.indexOf("(");
  const end = closingBracket(arrow);
  if (end === -1) throw new Error(`${name} is not a function, but ${arrow}.`);
  // An optional parameter takes undefined anyway.
  const parameters = splitAtCommas(arrow.slice(start + 1, end)).map((parameter) =>
    parameter.replace(/^(\w+\?: \w+) \| undefined$/, "$1"),
  );
  const head = `${name}${arrow.slice(0, start)}`;
  const result = arrow.slice(end + 1).replace(/^ => /, "");
  const line = `${head}(${parameters.join(", ")}): ${result}`;
  if (line.length <= lineLength) return line;
  return `${head}(\n${parameters.map((parameter) => `  ${parameter},\n`).join("")}): ${result}`;
}

/** The text's parts between commas that are in no bracket. */
function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [at, char] of [...text].entries()) {
    if ("({[<".includes(char)) depth += 1;
    else if (")}]".includes(char) || (char === ">" && text[at - 1] !== "=")) depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()].filter((part) => part !== "");
}

/** Where the first round bracket of the text is closed; -1 without one. */
function closingBracket(text: string): number {
  let depth = 0;
  for (const [at, char] of [...text].entries()) {
    if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}
