import type { ListedCorrection } from "@kcs/sdk";
import type { NewCorrection } from "../../../api/corrections.ts";
import { spanWords } from "../../../components/time-words.ts";
import { wordsOf } from "../graph/link-text.ts";

/** What a correction does, in a sentence without its stop. */
export function correctionWords(each: ListedCorrection): string {
  switch (each.kind) {
    case "rename":
      return `${typed(each.entity)} is called “${each.name}”`;
    case "retype":
      return `“${each.entity.name}” is of the type ${each.type}, not ${each.entity.type}`;
    case "merge":
      return `${typed(each.entity)} was merged into ${typed(each.into)}`;
    case "split":
      return `In ${each.documents.join(", ")}, ${typed(each.entity)} is ${typed(each.into)}`;
    case "add_property":
      return `“${each.entity.name}” has ${each.property}: ${each.value}`;
    case "remove_property":
      return `“${each.entity.name}” does not have ${each.property}${each.value === null ? "" : `: ${each.value}`}`;
    case "add_relationship":
      return ["Added:", factOf(each), spanWords(each)].join(" ").trim();
    case "reject":
      return `Rejected: ${factOf(each)}${each.sentence === null ? "" : ` in “${each.sentence}”`}`;
    case "confirm":
      return `Confirmed: ${factOf(each)}${takenWords(each)}`;
  }
}

/** Of the ends that are entities of other types than the proposal had. */
function takenWords(each: Extract<ListedCorrection, { readonly kind: "confirm" }>): string {
  const taken = [
    ...(each.source_type === each.source.type ? [] : [`${each.source.name} as ${each.source_type}`]),
    ...(each.target_type === each.target.type ? [] : [`${each.target.name} as ${each.target_type}`]),
  ];
  return taken.length === 0 ? "" : ` (${taken.join(", ")})`;
}

/** How things are once a correction is undone, as a sentence or a short note. */
export function undoneWords(each: NewCorrection): string {
  switch (each.kind) {
    case "rename":
      return `It is called “${each.entity.name}” again.`;
    case "retype":
      return `“${each.entity.name}” is of the type ${each.entity.type} again.`;
    case "merge":
      return `${typed(each.entity)} and ${typed(each.into)} are two entities again.`;
    case "split":
      return `“${each.entity.name}” and “${each.into.name}” are one entity again.`;
    case "add_property":
      return `Taken out again: ${each.property} ${each.value} of ${each.entity.name}`;
    case "remove_property":
      return `Back again: ${each.property}${each.value == null ? "" : ` ${each.value}`} of ${each.entity.name}`;
    case "add_relationship":
      return `Taken out again: ${factOf(each)}`;
    case "reject":
      return `No longer rejected: ${factOf(each)}`;
    case "confirm":
      return `No longer confirmed: ${factOf(each)}`;
  }
}

/** Two entities can have the same name. */
function typed({ name, type }: { readonly name: string; readonly type: string }): string {
  return `“${name}” (${type})`;
}

function factOf({
  source,
  type,
  target,
}: {
  readonly source: { readonly name: string };
  readonly type: string;
  readonly target: { readonly name: string };
}): string {
  return `${source.name} ${wordsOf(type)} ${target.name}`;
}
