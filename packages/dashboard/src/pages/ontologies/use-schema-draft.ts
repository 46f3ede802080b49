import { useBlocker } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { useRetainedState } from "../../api/use-retained-state.ts";
import { beginHistory, redone, undone, withStep } from "./draft-history.ts";
import { isSameDraft } from "./schema-draft.ts";

export interface SchemaDraftText {
  readonly name: string;
  /** JSON; may be incomplete while it is edited. */
  readonly text: string;
  /** What it began with, if that is not what is stored: an untouched one is no unsaved change. */
  readonly beginning?: DraftBeginning;
}

export interface DraftBeginning {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

export type SchemaDrafting = ReturnType<typeof useSchemaDraft>;

/**
 * The draft of an ontology, identified by `place`. Leaving the page with unsaved changes asks for confirmation. Signing in
 * again after the session has ended keeps the draft.
 */
export function useSchemaDraft(place: string, given: SchemaDraftText) {
  const { value: history, change, forget } = useRetainedState(["schema-draft", place], beginHistory(given));
  const draft = history.present;
  const latest = useRef(draft);
  latest.current = draft;
  const [kept, setKept] = useState(given);
  const isDiscarded = useRef(false);
  const isChanged = useMemo(() => !isSameDraft(draft, draft.beginning ?? kept), [draft, kept]);
  const hasUnsavedChanges = () => !isDiscarded.current && isChanged;
  const leaving = useBlocker({
    shouldBlockFn: ({ next }) => hasUnsavedChanges() && next.routeId !== "/sign-in",
    enableBeforeUnload: hasUnsavedChanges,
    withResolver: true,
  });
  return {
    draft,
    /** What is stored, or the draft began with. */
    kept,
    leaving,
    /** It differs from what is stored. */
    isChanged,
    /** `field`: the part is typed there. What is replaced can be brought back with `undo`. */
    change: (part: Partial<SchemaDraftText>, field?: keyof SchemaDraftText) =>
      change(withStep(history, { ...draft, ...part }, field)),
    /** null where there is nothing to undo, or to redo. */
    undo: history.past.length === 0 ? null : () => change(undone(history)),
    redo: history.future.length === 0 ? null : () => change(redone(history)),
    /** Call it when a draft is stored. What was written since is not. */
    keep(saved: SchemaDraftText) {
      setKept(saved);
      if (isSameDraft(latest.current, saved)) forget();
    },
    /** Call it when the page is to be left without confirmation. */
    discard() {
      isDiscarded.current = true;
      forget();
    },
  };
}
