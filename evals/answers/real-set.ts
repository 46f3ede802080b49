/** Questions over real text that nobody tuned on, of five kinds: `real/<kind>.json`. Texts are read from a folder; only the mails are ours. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const KINDS = ["encyclopaedia", "abstracts", "documentation", "book", "mail"] as const;
export type Kind = (typeof KINDS)[number];
export const HALVES = ["tuned", "reported"] as const;
export type Half = (typeof HALVES)[number];

/** A place in a document's text, in UTF-16 code units. `document`: place among the documents of its kind. */
export interface Place {
  readonly document: number;
  readonly start: number;
  readonly end: number;
}

export interface RealQuestion {
  readonly question: string;
  readonly half: Half;
  /** Any of these is right; null where no document answers. */
  readonly answers: readonly string[] | null;
  /** A document that tempts, of a question that none answers. */
  readonly near?: number | null;
  /** Each step of the answer. */
  readonly evidence?: readonly Place[];
}

export interface RealPair extends Place {
  readonly question: string;
  readonly label: "answers" | "near" | "no";
}

export interface RealDocument {
  readonly half: Half;
  /** What is ingested: the title, where the text does not have it, and the text. */
  readonly text: string;
  /** Of the text in what is ingested. */
  readonly offset: number;
}

export interface RealSet {
  readonly kind: Kind;
  readonly sha256: string;
  readonly documents: readonly RealDocument[];
  readonly questions: readonly RealQuestion[];
  readonly pairs: readonly RealPair[];
}

interface SetFile {
  readonly sha256: string;
  readonly documents: readonly { readonly file: string; readonly id: string; readonly half: Half }[];
  readonly questions: readonly RealQuestion[];
  readonly pairs: readonly RealPair[];
}

interface Row {
  readonly _id: string;
  readonly title: string;
  readonly text: string;
}

const own = new URL("./real/", import.meta.url);
const titled: ReadonlySet<Kind> = new Set(["encyclopaedia", "mail"]);

/** `folder` has `retrieval/` and `load/` with the files that the set names. @throws Error where a text is another than that asked about */
export async function readRealSet(kind: Kind, folder: string): Promise<RealSet> {
  const set = JSON.parse(await readFile(new URL(`${kind}.json`, own), "utf8")) as SetFile; // Our own file.
  const rows = new Map<string, Row>();
  for (const file of new Set(set.documents.map((document) => document.file))) {
    const path = file === "mail.jsonl" ? new URL(file, own) : join(folder, file);
    for (const line of (await readFile(path, "utf8")).split("\n")) {
      if (line === "") continue;
      const row = JSON.parse(line) as Row; // BEIR's layout.
      const key = `${file} ${row._id}`;
      if (!rows.has(key)) rows.set(key, row);
    }
  }
  const texts = set.documents.map(({ file, id }) => rows.get(`${file} ${id}`));
  const sha256 = createHash("sha256")
    .update(texts.map((row) => row?.text).join("\0"))
    .digest("hex");
  if (sha256 !== set.sha256) throw new Error(`The texts of ${kind} are not those that were asked about.`);
  const documents = set.documents.map(({ half }, at) => {
    const { title = "", text = "" } = texts[at] ?? {};
    const head = titled.has(kind) && title !== "" ? `${title}\n` : "";
    return { half, text: head + text, offset: head.length };
  });
  return { kind, sha256, documents, questions: set.questions, pairs: set.pairs };
}
