/** Names of elements and attributes as if each namespace had its usual prefix, whichever one the document gives it. */

export type Attributes = Readonly<Record<string, string>>;

export interface XmlName {
  /** With its prefix, if it has one. */
  readonly name: string;
  readonly attributes: Attributes;
}

export interface XmlNames {
  /** Called for each element that opens, with what is written there. */
  open(name: string, attributes: Attributes): XmlName;
  /** Called for each element that closes. */
  close(): void;
}

/** Those whose attributes are read, and those of pages. An empty prefix stands for none. */
const USUAL_PREFIXES: ReadonlyMap<string, string> = new Map([
  ["http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"],
  ["http://purl.oclc.org/ooxml/officeDocument/relationships", "r"],
  ["http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"],
  ["http://purl.oclc.org/ooxml/wordprocessingml/main", "w"],
  ["http://schemas.openxmlformats.org/officeDocument/2006/math", "m"],
  ["http://purl.oclc.org/ooxml/officeDocument/math", "m"],
  ["urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"],
  ["urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text"],
  ["urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table"],
  ["urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style"],
  ["urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw"],
  ["urn:oasis:names:tc:opendocument:xmlns:presentation:1.0", "presentation"],
  ["http://www.idpf.org/2007/ops", "epub"],
  ["http://www.w3.org/1999/xhtml", ""],
  ["http://www.w3.org/1998/Math/MathML", ""],
  ["http://www.w3.org/2000/svg", ""],
]);

const DECLARATION = "xmlns";

export function createXmlNames(): XmlNames {
  /** The usual prefixes that the open elements have declared for each prefix, the innermost last. */
  const meanings = new Map<string, string[]>();
  const declared: (readonly string[])[] = [];

  function declare(attributes: Attributes): readonly string[] {
    let prefixes: string[] | null = null;
    for (const key in attributes) {
      if (!key.startsWith(DECLARATION)) continue;
      // Attributes without a prefix are in no namespace; elements are known by their own name.
      const prefix = key === DECLARATION ? "" : key.charAt(DECLARATION.length) === ":" ? key.slice(6) : null;
      if (prefix === null) continue;
      const meaning = USUAL_PREFIXES.get(attributes[key]?.trim() ?? "") ?? prefix;
      const stack = meanings.get(prefix);
      if (stack === undefined) meanings.set(prefix, [meaning]);
      else stack.push(meaning);
      prefixes ??= [];
      prefixes.push(prefix);
    }
    return prefixes ?? NONE;
  }

  function rename(name: string): string {
    const colon = name.indexOf(":");
    const prefix = colon < 0 ? "" : name.slice(0, colon);
    const meaning = meanings.get(prefix)?.at(-1) ?? prefix;
    if (meaning === prefix) return name;
    const local = name.slice(colon + 1);
    return meaning === "" ? local : `${meaning}:${local}`;
  }

  function renameAll(attributes: Attributes): Attributes {
    let renamed: Record<string, string> | null = null;
    for (const key in attributes) {
      if (!key.includes(":") || key.startsWith(DECLARATION)) continue;
      const name = rename(key);
      if (name === key) continue;
      renamed ??= { ...attributes };
      delete renamed[key];
      renamed[name] = attributes[key] ?? "";
    }
    return renamed ?? attributes;
  }

  return {
    open(name, attributes) {
      declared.push(declare(attributes));
      return { name: rename(name), attributes: renameAll(attributes) };
    },
    close() {
      for (const prefix of declared.pop() ?? NONE) meanings.get(prefix)?.pop();
    },
  };
}

const NONE: readonly string[] = [];
