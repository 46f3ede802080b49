/** Says what is selected where: documents of other pages stay selected, too. */
import { counted } from "../../../components/counted.ts";

/** "50 selected, none of them on this page". `elsewhere`: how many are not on the page. */
export function selectionWords(selected: number, elsewhere: number): string {
  const all = `${selected.toLocaleString("en")} selected`;
  if (elsewhere === 0) return all;
  if (elsewhere === selected) return `${all}, ${selected === 1 ? "not" : "none of them"} on this page`;
  return `${all}, ${elsewhere.toLocaleString("en")} of them not on this page`;
}

const maxNamed = 5;

/** "note 1, note 2 and 48 more documents" */
export function namesOf(ids: readonly string[]): string {
  const named = ids.slice(0, maxNamed).map((id) => `“${id}”`);
  const others = ids.length - named.length;
  return others === 0 ? named.join(", ") : `${named.join(", ")} and ${counted(others, "more document", "more documents")}`;
}
