/** Groups units into chunks: full ones, within one section where that leaves chunks of a sensible size. */

import { type ChunkBudget, type ChunkUnit, maxUnitsPerToken } from "./chunk-units.ts";

/** The units of one chunk. */
export interface UnitGroup {
  readonly units: readonly ChunkUnit[];
  /** So many of the first units were also in the group before. */
  readonly overlap: number;
}

interface Group extends UnitGroup {
  readonly units: ChunkUnit[];
  /** Whether it goes on with the section that the group before ended in. */
  readonly continues: boolean;
  cost: number;
}

/** What is left over and smaller than this share of a chunk joins a neighbour. */
const tinyShare = 1 / 3;
/** A chunk may grow to this much of its target when it takes in what is left over. */
const leftoverShare = 1.25;

/**
 * Yields the units of each chunk, in order, never none. A chunk is closed when the next sentence
 * would take it over the target, and before a heading; the next chunk repeats its last whole
 * sentences up to the overlap, but only within a section.
 *
 * - A whole section below a third of the target joins what follows it (a heading alone, too).
 * - The small rest of a longer section joins the chunk before, if that stays below 1.25 times the target;
 *   so does the small end of the document.
 * - A chunk below half the target takes one long sentence as far as the hard limit allows.
 * - A heading is never the last of a chunk while there is something that it heads.
 */
export function* groupUnits(units: Iterable<ChunkUnit>, budget: ChunkBudget): Generator<UnitGroup> {
  let held: Group | undefined;
  let open = group([], 0, false);
  for (const unit of units) {
    const isSectionEnd =
      unit.kind === "heading" && hasFresh(open) && (open.continues || !isTiny(open, budget));
    if (isSectionEnd || (hasFresh(open) && !fits(open, unit, budget))) {
      const next = isSectionEnd ? group([], 0, false) : follow(open, budget);
      const merged = open.continues ? mergeBack(held, open, budget) : undefined;
      if (merged === undefined && held !== undefined) yield held;
      held = merged ?? open;
      open = next;
    }
    // What is repeated must leave room for what is new.
    if (!hasFresh(open) && !fits(open, unit, budget)) open = group([], 0, open.continues);
    open.cost += addedCost(open, unit);
    open.units.push(unit);
  }
  const merged = mergeBack(held, open, budget);
  if (merged === undefined && held !== undefined) yield held;
  if (merged !== undefined) yield merged;
  else if (hasFresh(open)) yield open;
}

function group(units: ChunkUnit[], overlap: number, continues: boolean): Group {
  const made: Group = { units: [], overlap, continues, cost: 0 };
  for (const unit of units) {
    made.cost += addedCost(made, unit);
    made.units.push(unit);
  }
  return made;
}

function hasFresh(open: Group): boolean {
  return open.units.length > open.overlap;
}

/** White space between units is part of the chunk's text, so a very wide gap counts. */
function addedCost(open: Group, unit: ChunkUnit): number {
  const gap = unit.start - (open.units.at(-1)?.end ?? unit.start);
  return unit.cost + Math.floor(gap / maxUnitsPerToken);
}

function fits(open: Group, unit: ChunkUnit, budget: ChunkBudget): boolean {
  if (open.units.length === 0) return true;
  const cost = open.cost + addedCost(open, unit);
  return cost <= budget.soft || (open.cost < budget.soft / 2 && cost <= budget.hard);
}

function freshCost(open: Group): number {
  return open.units.slice(open.overlap).reduce((sum, unit) => sum + unit.cost, 0);
}

function isTiny(open: Group, budget: ChunkBudget): boolean {
  return freshCost(open) < budget.soft * tinyShare;
}

/** The beginning of the group after a full one: its trailing headings, taken from it, or its last sentences. */
function follow(open: Group, budget: ChunkBudget): Group {
  let carried = 0;
  while (open.units.at(-1 - carried)?.kind === "heading") carried++;
  if (carried > 0 && carried < open.units.length - open.overlap) {
    return group(open.units.splice(open.units.length - carried), 0, false);
  }
  const last = open.units.at(-1);
  let repeated = 0;
  let cost = 0;
  while (repeated < open.units.length - 1) {
    const unit = open.units[open.units.length - 1 - repeated];
    if (unit === undefined || unit.kind !== "sentence" || unit.path !== last?.path) break;
    cost += unit.cost;
    if (cost > budget.overlap) break;
    repeated++;
  }
  return group(open.units.slice(open.units.length - repeated), repeated, true);
}

/** Both groups as one without what they share, or undefined if the second is not small or they are too long. */
function mergeBack(held: Group | undefined, open: Group, budget: ChunkBudget): Group | undefined {
  if (held === undefined || !hasFresh(open) || !isTiny(open, budget)) return undefined;
  const merged = group([...held.units, ...open.units.slice(open.overlap)], held.overlap, held.continues);
  return merged.cost <= Math.min(budget.hard, budget.soft * leftoverShare) ? merged : undefined;
}
