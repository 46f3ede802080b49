/** An asked question in the address of the page: a reload, a link and the Back key show it again. */
import type { Query } from "@kcs/sdk";
import { type Condition, metadataFilter, relations } from "./search-filter.ts";

/** Members that have their default are left out, so that addresses stay short. */
export interface AskSearch {
  readonly question?: string;
  readonly mode?: "dynamic";
  /** Number of passages. */
  readonly passages?: number;
  /** Passages of one document. */
  readonly each?: number;
  readonly documents?: readonly string[];
  readonly where?: readonly Condition[];
  /** The answers of both modes side by side. */
  readonly compare?: true;
}

export interface Question {
  readonly query: string;
  readonly mode: "static" | "dynamic";
  readonly topK: number;
  /** Passages of one document; 0 means any number. */
  readonly maxPerDocument: number;
  /** Ids of documents; empty means all documents. */
  readonly documents: readonly string[];
  readonly conditions: readonly Condition[];
}

/** What the service takes. */
export const passageLimits = { min: 1, max: 100, fallback: 10 } as const;
const maxDocuments = 1_000;
const maxConditions = 32;

/** Anybody can write an address, so what a question cannot have is left out. */
export function readAskSearch(search: Readonly<Record<string, unknown>>): AskSearch {
  const { question, mode, passages, each, documents, where, compare } = search;
  const text = typeof question === "string" || typeof question === "number" ? String(question) : "";
  const ids = listOf(documents, maxDocuments).filter((id) => typeof id === "string");
  const conditions = listOf(where, maxConditions).filter(isCondition);
  const [count, countEach] = [passageCount(passages), passageCount(each)];
  return {
    ...(text.trim() === "" ? {} : { question: text }),
    ...(mode === "dynamic" ? { mode } : {}),
    ...(count === null || count === passageLimits.fallback ? {} : { passages: count }),
    ...(countEach === null ? {} : { each: countEach }),
    ...(ids.length === 0 ? {} : { documents: ids }),
    ...(conditions.length === 0 ? {} : { where: conditions }),
    ...(compare === true ? { compare } : {}),
  };
}

function listOf(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}

function isCondition(value: unknown): value is Condition {
  if (typeof value !== "object" || value === null) return false;
  const { key, relation, value: compared } = value as Partial<Record<keyof Condition, unknown>>; // Of unknown members.
  return typeof key === "string" && typeof compared === "string" && relations.some((one) => one === relation);
}

function passageCount(value: unknown): number | null {
  const count = Number(value);
  return Number.isInteger(count) && count >= passageLimits.min && count <= passageLimits.max ? count : null;
}

export function questionIn(search: AskSearch): Question {
  return {
    query: search.question ?? "",
    mode: search.mode ?? "static",
    topK: search.passages ?? passageLimits.fallback,
    maxPerDocument: search.each ?? 0,
    documents: search.documents ?? [],
    conditions: search.where ?? [],
  };
}

export function searchOf(question: Question): AskSearch {
  return readAskSearch({
    question: question.query.trim(),
    mode: question.mode,
    passages: question.topK,
    each: question.maxPerDocument,
    documents: question.documents,
    where: question.conditions,
  });
}

/** The request for a question. Two equal questions give the same JSON. */
export function bodyOf({ query, mode, topK, maxPerDocument, documents, conditions }: Question): Query {
  const metadata = metadataFilter(conditions);
  const filter = {
    ...(documents.length === 0 ? {} : { source_doc_id: [...documents] }),
    ...(metadata === null ? {} : { metadata }),
  };
  return {
    query,
    mode,
    top_k: topK,
    // As many as there are passages is any number.
    ...(maxPerDocument === 0 || maxPerDocument >= topK ? {} : { max_per_document: maxPerDocument }),
    // The explanation of a dynamic answer comes with it, because asking again could call a language model again.
    include: mode === "dynamic" ? ["provenance", "steps", "explain"] : ["provenance"],
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  };
}
