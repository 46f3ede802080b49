/** What is wrong with an ontology, gathered so that the most fundamental faults are told first. */

/** From the most fundamental: a later kind often follows from an earlier one. */
export type FaultKind = "shape" | "level" | "name" | "reference";

export interface FaultList {
  /** `message` follows the place; it is only made for faults that may be told. */
  add(kind: FaultKind, place: string, message: () => string): void;
  /** All faults, told or not. */
  count(): number;
  /** `place: message`, the most fundamental kind first, within a kind as they were met; at most ten. */
  texts(): readonly string[];
}

/** At most this many faults are told; the rest is counted. */
const MAX_TOLD = 10;

const KINDS: readonly FaultKind[] = ["shape", "level", "name", "reference"];

const SHOWN_CHARACTERS = 60;

export function createFaultList(): FaultList {
  const told = new Map<FaultKind, string[]>(KINDS.map((kind) => [kind, []]));
  let count = 0;
  return {
    add(kind, place, message) {
      count += 1;
      const texts = told.get(kind);
      if (texts !== undefined && texts.length < MAX_TOLD) texts.push(`${place}: ${message()}`);
    },
    count: () => count,
    texts: () => KINDS.flatMap((kind) => told.get(kind) ?? []).slice(0, MAX_TOLD),
  };
}

/** A name for a message: in quotes, on one line, cut after 60 characters. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name));
}

/** `parent.name`, or `parent["a name"]` where it is not a plain word. */
export function placeOf(parent: string, name: string): string {
  return /^[\p{L}\p{N}_-]{1,60}$/u.test(name) ? `${parent}.${name}` : `${parent}[${quoted(name)}]`;
}

function shortened(name: string): string {
  if (name.length <= SHOWN_CHARACTERS) return name;
  return `${Array.from(name.slice(0, 2 * SHOWN_CHARACTERS))
    .slice(0, SHOWN_CHARACTERS)
    .join("")}…`;
}
