/** JSON values that are costly to parse, to walk or to report, each about as many bytes as requested. */

export type Shape = (bytes: number) => string;

const item = (text: string) => (bytes: number) => text.repeat(Math.max(0, Math.floor(bytes / text.length)));

/** `one(0)`, `one(1)`, … as many as fit. */
function series(bytes: number, one: (at: number) => string): string {
  const parts: string[] = [];
  for (let used = 0, at = 0; ; at++) {
    const part = one(at);
    used += part.length + 1;
    if (used > bytes) return parts.join(",");
    parts.push(part);
  }
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  "open arrays": item("["),
  "open objects": item('{"a":'),
  "nested arrays": (bytes) => item("[")(bytes / 2) + item("]")(bytes / 2),
  "nested objects": (bytes) => {
    const depth = Math.floor(bytes / 6);
    return `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;
  },
  "array of numbers": (bytes) => `[${item("0,")(bytes)}0]`,
  "array of empty objects": (bytes) => `[${item("{},")(bytes)}{}]`,
  "array of empty arrays": (bytes) => `[${item("[],")(bytes)}[]]`,
  "array of objects": (bytes) => `[${item('{"name":"a","text":"a"},')(bytes)}{}]`,
  "array of distinct strings": (bytes) => `[${series(bytes, (at) => `"n${at}"`)}]`,
  "distinct keys": (bytes) => `{${series(bytes, (at) => `"k${at}":0`)}}`,
  "distinct keys of objects": (bytes) => `{${series(bytes, (at) => `"k${at}":{}`)}}`,
  "numeric keys": (bytes) => `{${series(bytes, (at) => `"${at * 7}":0`)}}`,
  "one key repeated": (bytes) => `{${item('"a":0,')(bytes)}"a":0}`,
  "long key": (bytes) => `{"${item("k")(bytes)}":0}`,
  "long string": (bytes) => `"${item("a")(bytes)}"`,
  "string of spaces": (bytes) => `"${item(" ")(bytes)}"`,
  "string of zero-width spaces": (bytes) => `"${item("\u200b")(bytes / 3)}"`,
  "string of escapes": (bytes) => `"${item("\\u0000")(bytes)}"`,
  "string of surrogates": (bytes) => `"${item("\\ud800")(bytes)}"`,
  "string of capitals and lines": (bytes) => `"${item("Ab\\n")(bytes)}"`,
  "long number": item("7"),
  "long fraction": (bytes) => `0.${item("0")(bytes)}1`,
  "white space": (bytes) => `${item(" ")(bytes)}0`,
};

/** Pieces of forms with the boundary `b`, whole or nearly. */
export const FORM_SHAPES: Readonly<Record<string, Shape>> = {
  "ends of lines": item("\r\n"),
  "returns alone": item("\r"),
  hyphens: item("-"),
  "beginnings of boundaries": item("\r\n--"),
  boundaries: item("\r\n--b"),
  "empty parts": item("--b\r\n\r\n\r\n"),
  fields: item('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'),
  files: item('--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n\r\n'),
  "lines of headers": item("\r\na: b"),
  "parameters of headers": item("; a=b"),
  "quoted parameters": item('"; a="'),
};

/** An ontology that is valid and has as many names as fit. */
export function fullOntology(bytes: number): string {
  const properties = series(2200, (at) => `"property${at}"`);
  const node = (type: number) => `"Type${type}":{"properties":[${properties}]}`;
  const nodes = series(bytes - 100, node);
  return `{"ontology":{"hierarchy":[{"level":0,"node_types":{${nodes}}}],"edge_types":[]}}`;
}
