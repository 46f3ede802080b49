/** Words by which English tells common relations: general knowledge of the language, of no ontology in particular. */

import data from "./notions.json" with { type: "json" };

export interface Notion {
  /** Names of edge types, each as words in small letters. */
  readonly keys: readonly string[];
  readonly triggers: readonly string[];
  readonly prepositions: readonly string[];
  readonly role: TargetRole;
}

/** Who an edge's target is in a clause of the edge's verb: its agent, what it is done to, or either. */
export type TargetRole = "agent" | "patient" | "any";

export function readNotions(): readonly Notion[] {
  return data.notions.map(readNotion);
}

function readNotion(line: string): Notion {
  const [keys = "", triggers = "", prepositions = "", role = ""] = line.split("|").map((part) => part.trim());
  const words = (text: string) => text.split(" ").filter((word) => word !== "");
  return {
    keys: keys.split(","),
    triggers: words(triggers),
    prepositions: words(prepositions),
    role: role === "agent" || role === "patient" ? role : "any",
  };
}
