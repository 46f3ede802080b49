/**
 * Reads XML as far as documents need it: prefixes of namespaces are dropped, and entities that a document declares itself are
 * never expanded, neither from files or addresses nor into more text.
 */
import { Parser } from "htmlparser2";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import { decodeText } from "./decode-text.ts";
import { type Attributes, createXmlNames } from "./xml-names.ts";

export type { Attributes } from "./xml-names.ts";

export interface XmlElement {
  /** Without prefix. */
  readonly name: string;
  /** Names with the usual prefix of their namespace: without it, `id` and `r:id` would be the same. */
  readonly attributes: Attributes;
  readonly children: readonly (XmlElement | string)[];
}

export interface XmlHandlers {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  close(name: string): void;
}

/** Deeper than any document, and far from what the stack of recursive readers takes. */
const MAX_DEPTH = 1_000;

/** Calls the handlers in the order of the document. @throws UnreadableFile when elements are nested too deeply */
export function scanXml(text: string, handlers: XmlHandlers): void {
  let depth = 0;
  const names = createXmlNames();
  const parser = new Parser(
    {
      onopentag(written, attributesWritten) {
        if (++depth > MAX_DEPTH)
          throw new UnreadableFile("The file is damaged: its parts are nested too deeply.");
        const { name, attributes } = names.open(written, attributesWritten);
        handlers.open(localName(name), attributes);
      },
      ontext: handlers.text,
      onclosetag(name) {
        depth--;
        names.close();
        handlers.close(localName(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
}

/** The document's element. @throws UnreadableFile when it has none */
export function readXml(text: string): XmlElement {
  const tree = createXmlTree();
  scanXml(text, tree);
  const root = tree.root();
  if (root === undefined) throw new UnreadableFile("The file is damaged: one of its parts is empty.");
  return root;
}

export interface XmlTree extends XmlHandlers {
  /** The first element that was opened. */
  root(): XmlElement | undefined;
}

/** Makes elements of what a scan finds. */
export function createXmlTree(): XmlTree {
  const outer = newElement("", {});
  const open = [outer];
  return {
    open(name, attributes) {
      const element = newElement(name, attributes);
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text: (piece) => open.at(-1)?.children.push(piece),
    close: () => open.pop(),
    root: () => childElements(outer)[0],
  };
}

/** The text of an XML file, in the encoding that it declares. */
export function decodeXml(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const [, declared = null] = /encoding=["']([\w.-]{1,40})/.exec(start) ?? [];
  const text = decodeText(bytes, declared);
  if (text === null) throw new UnreadableFile("The file is damaged: one of its parts is not text.");
  return text;
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
}

function newElement(name: string, attributes: Attributes): OpenElement {
  return { name, attributes, children: [] };
}

/** Without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

export function childElements(element: XmlElement, name?: string): readonly XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== "string" && (name === undefined || child.name === name),
  );
}

export function findChild(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>(
    (found, name) => (found === undefined ? undefined : childElements(found, name)[0]),
    element,
  );
}

/** All descendants with the name, in the order of the document, not those inside of one another. */
export function descendants(element: XmlElement, name: string): readonly XmlElement[] {
  return childElements(element).flatMap((child) =>
    child.name === name ? [child] : descendants(child, name),
  );
}

export function xmlText(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  return element.children.map((child) => (typeof child === "string" ? child : xmlText(child))).join("");
}
