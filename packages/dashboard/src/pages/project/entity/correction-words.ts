import type { ListedCorrection } from "@kcs/sdk";
import { wordsOf } from "../graph/link-text.ts";

/** What a correction does, in a sentence without its stop. */
export function correctionWords(each: ListedCorrection): string {
  switch (each.kind) {
    case "rename":
      return `“${each.entity.name}” is called “${each.name}”`;
    case "retype":
      return `“${each.entity.name}” is of the type ${each.type}, not ${each.entity.type}`;
    case "merge":
      return `“${each.entity.name}” is “${each.into.name}”`;
    case "split":
      return `In ${each.documents.join(", ")}, “${each.entity.name}” is “${each.into.name}”`;
    case "add_property":
      return `“${each.entity.name}” has ${each.property}: ${each.value}`;
    case "remove_property":
      return `“${each.entity.name}” does not have ${each.property}${each.value === null ? "" : `: ${each.value}`}`;
    case "add_relationship":
      return `Added: ${factOf(each)}`;
    case "reject":
      return `Rejected: ${factOf(each)}${each.sentence === null ? "" : ` in “${each.sentence}”`}`;
    case "confirm":
      return `Confirmed: ${factOf(each)}`;
  }
}

function factOf({
  source,
  type,
  target,
}: Extract<ListedCorrection, { kind: "reject" | "confirm" | "add_relationship" }>): string {
  return `${source.name} ${wordsOf(type)} ${target.name}`;
}
