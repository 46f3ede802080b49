/** What a project can be bound to: an ontology of the account, or a ready-made one; a new one also to none. */
import type { ReadyOntologyName } from "@kcs/contract/ready-ontologies";
import type { SelectOption } from "../../components/select.tsx";
import { readyMade } from "../ontologies/ready-made.ts";

/** No id of an ontology begins so. */
const mark = "ready-made ";

export function ontologyChoices(
  own: readonly { readonly id: string; readonly name: string }[],
): readonly SelectOption[] {
  return [{ value: "", label: "None: types come from the texts" }, ...boundChoices(own)];
}

/** Without the ready-made ones whose names the account has already. */
export function boundChoices(
  own: readonly { readonly id: string; readonly name: string }[],
): readonly SelectOption[] {
  const names = new Set(own.map(({ name }) => name));
  return [
    ...own.map(({ id, name }) => ({ value: id, label: name })),
    ...readyMade
      .filter(({ label }) => !names.has(label))
      .map(({ id, label }) => ({ value: mark + id, label: `${label} (ready-made)` })),
  ];
}

/** The ready-made ontology of a choice; null: none of these was chosen. */
export function readyMadeOf(choice: string): ReadyOntologyName | null {
  return readyMade.find(({ id }) => mark + id === choice)?.id ?? null;
}
