/** Parts of a use case by how it is laid out: prose, lists under "Entities:" and the like, JSON samples. */

export interface Prose {
  readonly text: string;
  readonly isItem: boolean;
}

export interface Layout {
  /** Paragraphs, and items of lists that name no section. */
  readonly prose: readonly Prose[];
  /** Lines of lists of types, "Product (name, price)". */
  readonly typeItems: readonly string[];
  /** Lines of lists of relationships, "works for: Person → Company". */
  readonly edgeItems: readonly string[];
  /** Lines of lists of properties, with the last type before them, or null. */
  readonly propertyItems: readonly { readonly owner: string | null; readonly text: string }[];
  /** JSON that stood in the text, parsed. */
  readonly samples: readonly unknown[];
}

type Section = "types" | "edges" | "properties" | "prose" | "samples";

const MAX_ITEMS = 400;
const MAX_SAMPLES = 8;
const MAX_HEADING_UNITS = 80;

/** The names of a section in headings, and the words that may stand before them; in small letters. */
const LABELS: readonly (readonly [Section, names: ReadonlySet<string>, before: ReadonlySet<string>])[] = [
  [
    "types",
    setOf(
      "entity,entities,node,nodes,concept,concepts,object,objects,classes,types,vertices,labels,kinds of things",
    ),
    setOf("the,main,key,core,important,our,node,entity,concept,object,vertex"),
  ],
  [
    "edges",
    setOf(
      "relationship,relationships,relation,relations,edge,edges,link,links,connection,connections,association",
      "associations,relationship type,relationship types,relation type,relation types,edge type,edge types",
      "link type,link types,predicates",
    ),
    setOf("the,main,key,core,important,our,edge,entity"),
  ],
  ["properties", setOf("properties,attributes,fields,metadata"), setOf("the,main,key,node,entity")],
  [
    "prose",
    setOf(
      "use case,usecase,description,goal,goals,background,note,notes,overview,summary,domain,context,scope,purpose",
      "requirement,requirements,question,questions,queries,data",
    ),
    setOf("sample,example"),
  ],
  [
    "samples",
    setOf("example,examples,input,inputs,output,outputs,text,texts,answer"),
    setOf("sample,example,expected"),
  ],
];

function setOf(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(",")));
}

/** "-", "1.", "a)", "FR-01". */
const BULLET = /^(?:[-*•‣▪◦–]|\(?\d{1,3}[.)]|[a-z][.)]|\p{Lu}{1,4}-?\d{1,3}[.):]?)(?: |$)/u;

/** A line so short that ends without a mark was not broken by width: what follows is a sentence of its own. */
const WRAPPED_UNITS = 60;

/** Arrows of any make become one sign. */
const ARROW = /-{1,8} ?>|={1,8} ?>|[→⟶⇒➔➜]/g;

/** Linear but for JSON, which is looked for at a bounded number of places. */
export function readLayout(text: string): Layout {
  const { rest, samples } = takeSamples(text);
  const reader = createReader();
  for (const line of rest.split(/\r\n?|\n/)) reader.read(line);
  return { ...reader.layout(), samples };
}

function createReader() {
  const prose: Prose[] = [];
  /** Names of things in place of kinds: read where the text has nothing else. */
  const samples: Prose[] = [];
  const typeItems: string[] = [];
  const edgeItems: string[] = [];
  const propertyItems: { owner: string | null; text: string }[] = [];
  let section: Section = "prose";
  let paragraph = "";
  let isAfterBlank = false;

  function flush(): void {
    if (paragraph.trim() !== "") prose.push({ text: paragraph.trim(), isItem: false });
    paragraph = "";
  }

  function item(kind: Section, text: string): void {
    if (kind === "samples") {
      samples.push({ text, isItem: true });
      return;
    }
    if (text === "" || typeItems.length + edgeItems.length + propertyItems.length >= MAX_ITEMS) return;
    const [owner = "", list] = kind === "properties" ? text.split("→") : [];
    if (list !== undefined) propertyItems.push({ owner, text: list });
    else if (text.includes("→")) edgeItems.push(text);
    else if (kind === "types") typeItems.push(text);
    else if (kind === "edges") edgeItems.push(text);
    else if (kind === "properties") propertyItems.push({ owner: typeItems.at(-1) ?? null, text });
    else prose.push({ text, isItem: true });
  }

  function readHeading(line: string): boolean {
    const heading = headingOf(line);
    if (heading === null) return false;
    const { inline } = heading;
    flush();
    section = heading.section;
    if (inline !== "") {
      for (const part of inlineItems(inline, section)) item(section, part);
      if (section === "properties" && !/,$/.test(inline)) section = typeItems.length > 0 ? "types" : "prose";
    }
    return true;
  }

  return {
    read(line: string): void {
      const unified = line.replace(ARROW, " → ").replace(/\s+/g, " ").trim();
      if (unified === "") {
        flush();
        isAfterBlank = true;
        return;
      }
      const wasBlank = isAfterBlank;
      isAfterBlank = false;
      const bullet = BULLET.exec(unified);
      const body = unified.slice(bullet?.[0].length ?? 0).trim();
      if (readHeading(body)) return;
      if (bullet !== null) {
        flush();
        item(section, body);
      } else if (section !== "prose" && !looksLikeProse(body, wasBlank)) item(section, body);
      else {
        if (wasBlank || section !== "prose") {
          flush();
          section = "prose";
        }
        if (body.includes("→")) item("edges", body);
        else {
          paragraph += `${paragraph === "" ? "" : " "}${body}`;
          if (body.length < WRAPPED_UNITS && !/[,;:]$/.test(body)) flush();
        }
      }
    },
    layout() {
      flush();
      if (prose.length + typeItems.length + edgeItems.length === 0) prose.push(...samples);
      return { prose, typeItems, edgeItems, propertyItems };
    },
  };
}

/** "**Node types:** Author, Book", "## Node types"; null for a line that heads no section. */
function headingOf(line: string): { readonly section: Section; readonly inline: string } | null {
  const colon = line.search(/[:：]/);
  if (colon < 0 && !/^(?:#|\*\*|__)/.test(line)) return null;
  const end = colon < 0 ? line.length : colon;
  if (end > MAX_HEADING_UNITS) return null;
  const name = line
    .slice(0, end)
    .replace(/^#{1,6}|\*\*|__|#{1,6}$/g, "")
    .trim()
    .toLowerCase()
    .replace(/ between (?:them|entities)$/, "");
  const label = LABELS.find(([, names, before]) => isLabel(name.split(" "), names, before));
  if (label === undefined) return null;
  const inline = line.slice(end + 1).replace(/^ ?(?:\*\*|__)/, "");
  return { section: label[0], inline: inline.trim() };
}

function isLabel(words: readonly string[], names: ReadonlySet<string>, before: ReadonlySet<string>): boolean {
  const name = words.findIndex((_, at) => names.has(words.slice(at).join(" ")));
  return name >= 0 && words.slice(0, name).every((word) => before.has(word));
}

/** A line under a heading without a bullet: an item where it is short, prose where it is a sentence after a blank line. */
function looksLikeProse(line: string, isAfterBlank: boolean): boolean {
  return isAfterBlank && line.split(/\s+/).length > 6 && /[.!?]$/.test(line);
}

/** "Author, Book (title, year); Publisher": divided at commas outside of brackets; relationships at semicolons first. */
function inlineItems(text: string, section: Section): readonly string[] {
  if (section === "prose" || section === "samples") return [text];
  if (section === "properties") return text.split(/;|\.\s/);
  const bySemicolon = splitOutside(text, ";");
  if (bySemicolon.length > 1) return bySemicolon;
  if (section === "edges") return splitOutside(text, ",");
  return splitOutside(text.replace(/\.\s*$/, ""), ",")
    .flatMap((part) => (part.includes("(") ? [part] : part.split(/\s(?:and|&)\s/i)))
    .map((part) => part.trim().replace(/^and\s+/i, ""));
}

export function splitOutside(text: string, separator: "," | ";"): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const character of text) {
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth = Math.max(0, depth - 1);
    if (character === separator && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += character;
  }
  return [...parts, part.trim()].filter((each) => each !== "");
}

/** Takes JSON objects and arrays out of the text. */
function takeSamples(text: string): { readonly rest: string; readonly samples: readonly unknown[] } {
  const samples: unknown[] = [];
  let rest = "";
  let from = 0;
  const opening = /[{[]\s*["{[\]}]/g;
  for (let tries = 0; tries < 4 * MAX_SAMPLES && samples.length < MAX_SAMPLES; tries++) {
    const found = opening.exec(text);
    if (found === null) break;
    const end = endOfJson(text, found.index);
    const value = end < 0 ? undefined : parsed(text.slice(found.index, end));
    if (value === undefined) continue;
    samples.push(value);
    rest += `${text.slice(from, found.index)}\n`;
    from = end;
    opening.lastIndex = end;
  }
  return { rest: (rest + text.slice(from)).replace(/^[ \t]*```\w*[ \t]*$/gm, ""), samples };
}

/** Behind the bracket that closes the one at `start`; −1 where none does. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (isString) {
      if (sign === "\\") at++;
      else if (sign === '"') isString = false;
    } else if (sign === '"') isString = true;
    else if (sign === "{" || sign === "[") depth++;
    else if ((sign === "}" || sign === "]") && --depth === 0) return at + 1;
  }
  return -1;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
