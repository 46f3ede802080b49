import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { kept } from "../../api/kept.ts";

export interface SchemaDraftText {
  readonly name: string;
  /** JSON, or what will become it. */
  readonly text: string;
}

const keyOf = (place: string) => [kept, "schema-draft", place];

/**
 * What is being written of an ontology. Who leaves is asked before it is lost. It outlives signing in again when a session is over:
 * until it is saved or given up it is kept in memory, by `place`.
 */
export function useSchemaDraft(place: string, given: SchemaDraftText) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => keptDraft(queryClient, place) ?? given);
  const isSaved = useRef(false);
  const isLost = () => !isSaved.current && (draft.name !== given.name || draft.text !== given.text);
  const leaving = useBlocker({
    shouldBlockFn: ({ next }) => isLost() && next.routeId !== "/sign-in",
    enableBeforeUnload: isLost,
    withResolver: true,
  });
  const forget = () => queryClient.removeQueries({ queryKey: keyOf(place) });
  return {
    draft,
    leaving,
    change(part: Partial<SchemaDraftText>) {
      const next = { ...draft, ...part };
      setDraft(next);
      queryClient.setQueryData(keyOf(place), next);
    },
    /** It is stored, or not wanted: nothing is lost from now on. */
    settle() {
      isSaved.current = true;
      forget();
    },
  };
}

function keptDraft(queryClient: QueryClient, place: string): SchemaDraftText | undefined {
  return queryClient.getQueryData<SchemaDraftText>(keyOf(place));
}
