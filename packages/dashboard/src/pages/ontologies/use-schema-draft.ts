import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";
import { useRetainedState } from "../../api/use-retained-state.ts";
import { beginHistory, redone, undone, withStep } from "./draft-history.ts";

export interface SchemaDraftText {
  readonly name: string;
  /** JSON; may be incomplete while it is edited. */
  readonly text: string;
}

/**
 * The draft of an ontology, identified by `place`. Leaving the page with unsaved changes asks for confirmation. Signing in
 * again after the session has ended keeps the draft.
 */
export function useSchemaDraft(place: string, given: SchemaDraftText) {
  const { value: history, change, forget } = useRetainedState(["schema-draft", place], beginHistory(given));
  const draft = history.present;
  const isSettled = useRef(false);
  const hasUnsavedChanges = () =>
    !isSettled.current && (draft.name !== given.name || draft.text !== given.text);
  const leaving = useBlocker({
    shouldBlockFn: ({ next }) => hasUnsavedChanges() && next.routeId !== "/sign-in",
    enableBeforeUnload: hasUnsavedChanges,
    withResolver: true,
  });
  return {
    draft,
    leaving,
    /** `field`: the part is typed there. */
    change: (part: Partial<SchemaDraftText>, field?: keyof SchemaDraftText) =>
      change(withStep(history, { ...draft, ...part }, field)),
    /** null where there is nothing to undo, or to redo. */
    undo: history.past.length === 0 ? null : () => change(undone(history)),
    redo: history.future.length === 0 ? null : () => change(redone(history)),
    /** Call it when the draft is saved or discarded: the page can then be left without confirmation. */
    settle() {
      isSettled.current = true;
      forget();
    },
  };
}
