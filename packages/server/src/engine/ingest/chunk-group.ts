/** Groups units into chunks of about the target size, each within one section where the section is large enough. */

import { type ChunkBudget, type ChunkUnit, maxUnitsPerToken } from "./chunk-units.ts";

/** The units of one chunk. */
export interface UnitGroup {
  readonly units: readonly ChunkUnit[];
  /** Number of units at the beginning that the group before has as well. */
  readonly overlap: number;
}

interface Group extends UnitGroup {
  readonly units: ChunkUnit[];
  /** Whether it continues the section in which the group before ended. */
  readonly continues: boolean;
  cost: number;
}

/** A rest that is smaller than this share of the target joins a neighbour. */
const tinyShare = 1 / 3;
/** A chunk that takes in a rest may grow to this share of the target. */
const mergedShare = 1.25;

/**
 * Yields the units of each chunk in order; no group is empty. A chunk ends before the sentence that would exceed the target,
 * and before a heading. The next chunk repeats the last whole sentences up to the overlap, but only within a section.
 *
 * - A whole section below a third of the target joins what follows it (a heading alone, too).
 * - The small rest of a longer section, or of the document, joins the chunk before, if that stays below 1.25 times the target.
 * - A chunk below half the target takes one long sentence up to the hard limit.
 * - A heading is never the last unit of a chunk while text follows it.
 */
export function* groupUnits(units: Iterable<ChunkUnit>, budget: ChunkBudget): Generator<UnitGroup> {
  let held: Group | undefined;
  let open = group([], 0, false);
  for (const unit of units) {
    const isSectionEnd =
      unit.kind === "heading" && hasNewUnits(open) && (open.continues || !isTiny(open, budget));
    if (isSectionEnd || (hasNewUnits(open) && !fits(open, unit, budget))) {
      const next = isSectionEnd ? group([], 0, false) : follow(open, budget);
      const merged = open.continues ? mergeBack(held, open, budget) : undefined;
      if (merged === undefined && held !== undefined) yield held;
      held = merged ?? open;
      open = next;
    }
    // The overlap is dropped where it leaves no room for the new unit.
    if (!hasNewUnits(open) && !fits(open, unit, budget)) open = group([], 0, open.continues);
    open.cost += addedCost(open, unit);
    open.units.push(unit);
  }
  const merged = mergeBack(held, open, budget);
  if (merged === undefined && held !== undefined) yield held;
  if (merged !== undefined) yield merged;
  else if (hasNewUnits(open)) yield open;
}

function group(units: ChunkUnit[], overlap: number, continues: boolean): Group {
  const made: Group = { units: [], overlap, continues, cost: 0 };
  for (const unit of units) {
    made.cost += addedCost(made, unit);
    made.units.push(unit);
  }
  return made;
}

function hasNewUnits(open: Group): boolean {
  return open.units.length > open.overlap;
}

/** White space between units is part of the chunk's text, so a very wide gap has a cost. */
function addedCost(open: Group, unit: ChunkUnit): number {
  const gap = unit.start - (open.units.at(-1)?.end ?? unit.start);
  return unit.cost + Math.floor(gap / maxUnitsPerToken);
}

function fits(open: Group, unit: ChunkUnit, budget: ChunkBudget): boolean {
  if (open.units.length === 0) return true;
  const cost = open.cost + addedCost(open, unit);
  return cost <= budget.soft || (open.cost < budget.soft / 2 && cost <= budget.hard);
}

function newCost(open: Group): number {
  return open.units.slice(open.overlap).reduce((sum, unit) => sum + unit.cost, 0);
}

function isTiny(open: Group, budget: ChunkBudget): boolean {
  return newCost(open) < budget.soft * tinyShare;
}

/** The beginning of the group after a full one: its trailing headings, moved over, or its last sentences, repeated. */
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

/** Both groups as one, without the overlap; undefined if the second is not small or the result would be too long. */
function mergeBack(held: Group | undefined, open: Group, budget: ChunkBudget): Group | undefined {
  if (held === undefined || !hasNewUnits(open) || !isTiny(open, budget)) return undefined;
  const merged = group([...held.units, ...open.units.slice(open.overlap)], held.overlap, held.continues);
  return merged.cost <= Math.min(budget.hard, budget.soft * mergedShare) ? merged : undefined;
}
