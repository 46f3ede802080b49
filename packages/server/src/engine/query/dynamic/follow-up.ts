/** Words the question that follows on a name that was found. */
import { askedNames, leaveOut } from "./asked-names.ts";
import type { BridgeName } from "./bridge-names.ts";

/** The question about the name, without the names that its passage has answered: "Odile Brandt: where was the founder of born?". */
export function followUp(query: string, { name, answered }: Pick<BridgeName, "name" | "answered">): string {
  const done = askedNames(query).filter((asked) => answered.includes(asked.name));
  return `${name}: ${leaveOut(query, done)}`;
}
