/** Collects the faults of an ontology and reports the most fundamental ones first. */

/**
 * Ordered from the most fundamental: a fault of a later kind is often a
 * consequence of one of an earlier kind.
 */
export type FaultKind = "shape" | "level" | "name" | "reference";

export interface FaultList {
  /** `message` is a function because it is called only for faults that may be reported. */
  add(kind: FaultKind, path: string, message: () => string): void;
  /** Number of all faults, reported or not. */
  count(): number;
  /** `path: message`, by kind, within a kind in the order of `add`; at most ten. */
  texts(): readonly string[];
}

/** Further faults are only counted. */
const MAX_REPORTED = 10;

const KINDS: readonly FaultKind[] = ["shape", "level", "name", "reference"];

const MAX_QUOTED_CHARACTERS = 60;

export function createFaultList(): FaultList {
  const reported = new Map<FaultKind, string[]>(KINDS.map((kind) => [kind, []]));
  let count = 0;
  return {
    add(kind, path, message) {
      count += 1;
      const texts = reported.get(kind);
      if (texts !== undefined && texts.length < MAX_REPORTED) texts.push(`${path}: ${message()}`);
    },
    count: () => count,
    texts: () => KINDS.flatMap((kind) => reported.get(kind) ?? []).slice(0, MAX_REPORTED),
  };
}

/** A name as a message shows it: in quotes, on one line, cut after 60 characters. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name));
}

/** `parent.name`, or `parent["a name"]` when the name is not a plain word. */
export function memberPath(parent: string, name: string): string {
  return /^[\p{L}\p{N}_-]{1,60}$/u.test(name) ? `${parent}.${name}` : `${parent}[${quoted(name)}]`;
}

function shortened(name: string): string {
  if (name.length <= MAX_QUOTED_CHARACTERS) return name;
  return `${Array.from(name.slice(0, 2 * MAX_QUOTED_CHARACTERS))
    .slice(0, MAX_QUOTED_CHARACTERS)
    .join("")}…`;
}
