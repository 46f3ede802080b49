/** The questions that were asked in a project, kept in this browser until its user signs out. */
import { useSyncExternalStore } from "react";

const prefix = "kcs-asked-";
/** Number of questions kept for a project. */
const maxQuestions = 50;
const changed = new EventTarget();

export interface AskedQuestion<Search> {
  /** The address of the question. */
  readonly search: Search;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Newest first. `read` checks what the browser has kept, which an earlier version may have written. */
export function useAskedQuestions<Search>(
  projectId: string,
  read: (search: Readonly<Record<string, unknown>>) => Search,
): readonly AskedQuestion<Search>[] {
  const kept = useSyncExternalStore(subscribe, () => readItem(prefix + projectId));
  return parse(kept).map(({ search, at }) => ({ search: read(search), at }));
}

/** Keeps a question, the last asked first, instead of its earlier entry. `at`: when it was answered. */
export function keepAsked(projectId: string, search: object, at: number): void {
  const key = prefix + projectId;
  const text = JSON.stringify(search);
  const others = parse(readItem(key)).filter((asked) => JSON.stringify(asked.search) !== text);
  const asked = [{ search, at }, ...others].toSorted((one, other) => other.at - one.at);
  withStorage((storage) => storage.setItem(key, JSON.stringify(asked.slice(0, maxQuestions))));
  changed.dispatchEvent(new Event("change"));
}

/** Of one project, or of all. */
export function forgetAsked(projectId: string | null): void {
  withStorage((storage) => {
    const keys = projectId === null ? Object.keys(storage) : [prefix + projectId];
    for (const key of keys) if (key.startsWith(prefix)) storage.removeItem(key);
  });
  changed.dispatchEvent(new Event("change"));
}

function subscribe(onChange: () => void): () => void {
  changed.addEventListener("change", onChange);
  window.addEventListener("storage", onChange);
  return () => {
    changed.removeEventListener("change", onChange);
    window.removeEventListener("storage", onChange);
  };
}

function readItem(key: string): string | null {
  return withStorage((storage) => storage.getItem(key)) ?? null;
}

/** A browser may refuse to keep anything; then there is no list. */
function withStorage<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(window.localStorage);
  } catch {
    return undefined;
  }
}

function parse(text: string | null): readonly AskedQuestion<Record<string, unknown>>[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isAsked) : [];
  } catch {
    return [];
  }
}

function isAsked(value: unknown): value is AskedQuestion<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return (
    "search" in value && typeof value.search === "object" && "at" in value && typeof value.at === "number"
  );
}
