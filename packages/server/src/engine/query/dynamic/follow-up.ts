/** Words the question that follows a name which a passage contains. */
import type { BridgeName } from "../../../domain/query.ts";
import { removeSpans } from "./question-names.ts";

/** Leaves out the names that the passage contains: "Odile Brandt: where was the founder of born?". */
export function followUp(query: string, { name, answered }: Pick<BridgeName, "name" | "answered">): string {
  return `${name}: ${removeSpans(query, answered)}`;
}
