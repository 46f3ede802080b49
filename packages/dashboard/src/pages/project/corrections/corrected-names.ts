import type { ListedCorrection } from "@kcs/sdk";

/** The names under which the graph has what a correction is of, once it is made. */
export function correctedNames(each: ListedCorrection): readonly string[] {
  switch (each.kind) {
    case "rename":
      return [each.name];
    case "merge":
      return [each.into.name];
    case "split":
      return distinct([each.entity.name, each.into.name]);
    case "retype":
    case "add_property":
    case "remove_property":
      return [each.entity.name];
    case "add_relationship":
    case "reject":
    case "confirm":
      return distinct([each.source.name, each.target.name]);
  }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
