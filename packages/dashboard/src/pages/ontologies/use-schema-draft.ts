import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";
import { useKept } from "../../api/use-kept.ts";

export interface SchemaDraftText {
  readonly name: string;
  /** JSON, or what will become it. */
  readonly text: string;
}

/**
 * What is being written of an ontology, by `place`. Who leaves is asked before it is lost; signing in again, when a session is over,
 * loses nothing.
 */
export function useSchemaDraft(place: string, given: SchemaDraftText) {
  const { value: draft, change, forget } = useKept(["schema-draft", place], given);
  const isSettled = useRef(false);
  const isLost = () => !isSettled.current && (draft.name !== given.name || draft.text !== given.text);
  const leaving = useBlocker({
    shouldBlockFn: ({ next }) => isLost() && next.routeId !== "/sign-in",
    enableBeforeUnload: isLost,
    withResolver: true,
  });
  return {
    draft,
    leaving,
    change: (part: Partial<SchemaDraftText>) => change({ ...draft, ...part }),
    /** It is stored, or not wanted: nothing is lost from now on. */
    settle() {
      isSettled.current = true;
      forget();
    },
  };
}
