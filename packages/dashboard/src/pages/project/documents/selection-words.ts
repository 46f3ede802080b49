/** Says what is selected where: documents of other pages stay selected, too. */
import { counted } from "../../../components/counted.ts";

/** "50 selected, none of them on this page". `elsewhere`: how many are not on the page; `most`: what the list has, if no more can be selected. */
export function selectionWords({
  selected,
  elsewhere,
  most,
}: {
  readonly selected: number;
  readonly elsewhere: number;
  readonly most: number | null;
}): string {
  const all = `${selected.toLocaleString("en")} selected${most === null ? "" : ` of ${most.toLocaleString("en")}`}`;
  return `${all}${placeOf(selected, elsewhere)}${most === null ? "" : ". No more can be selected at once."}`;
}

function placeOf(selected: number, elsewhere: number): string {
  if (elsewhere === 0) return "";
  if (elsewhere === selected) return `, ${selected === 1 ? "not" : "none of them"} on this page`;
  return `, ${elsewhere.toLocaleString("en")} of them not on this page`;
}

const maxNamed = 5;

/** "note 1, note 2 and 48 more documents" */
export function namesOf(ids: readonly string[]): string {
  const named = ids.slice(0, maxNamed).map((id) => `“${id}”`);
  const others = ids.length - named.length;
  return others === 0
    ? named.join(", ")
    : `${named.join(", ")} and ${counted(others, "more document", "more documents")}`;
}
