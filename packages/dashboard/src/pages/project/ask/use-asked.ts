import type { Query, QueryResult } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { kept } from "../../../api/kept.ts";
import { service } from "../../../api/service.ts";
import type { Question } from "./question-form.tsx";
import { metadataFilter } from "./search-filter.ts";

/** How many questions are kept, with their answers, until the page is loaded anew. */
const maxKept = 20;

export interface AskedQuestion {
  readonly id: number;
  readonly question: Question;
  readonly body: Query;
  readonly answer: QueryResult;
  /** From the question's leaving to the answer's arrival. */
  readonly milliseconds: number;
}

/** Asks, and keeps what was asked in this session. Only one question is on its way at a time. */
export function useAsked(projectId: string) {
  const queryClient = useQueryClient();
  const key = [kept, "asked", projectId];
  const stop = useRef<AbortController | null>(null);
  const [shownId, show] = useState<number | null>(null);
  // Never read from anywhere: answers are put here as they come.
  const { data: asked } = useQuery<readonly AskedQuestion[]>({
    queryKey: key,
    queryFn: () => [],
    enabled: false,
    initialData: [],
  });
  const asking = useMutation({
    async mutationFn(question: Question): Promise<AskedQuestion | null> {
      const abort = new AbortController();
      stop.current = abort;
      const body = bodyOf(question);
      const began = performance.now();
      try {
        const answer = await service.query(projectId, body, { signal: abort.signal });
        return { id: Date.now(), question, body, answer, milliseconds: performance.now() - began };
      } catch (error) {
        if (abort.signal.aborted) return null;
        throw error;
      }
    },
    onSuccess(latest) {
      if (latest === null) return;
      queryClient.setQueryData<readonly AskedQuestion[]>(key, (before = []) => [
        latest,
        ...before.slice(0, maxKept - 1),
      ]);
      show(latest.id);
    },
  });
  return {
    asked,
    shown: asked.find(({ id }) => id === shownId) ?? asked[0] ?? null,
    isPending: asking.isPending,
    error: asking.error,
    ask: (question: Question) => asking.mutate(question),
    stop: () => stop.current?.abort(),
    show(id: number) {
      asking.reset();
      show(id);
    },
  };
}

function bodyOf({ query, mode, topK, documents, conditions, isExplained }: Question): Query {
  const metadata = metadataFilter(conditions);
  const filter = {
    ...(documents.length === 0 ? {} : { source_doc_id: [...documents] }),
    ...(metadata === null ? {} : { metadata }),
  };
  return {
    ...{ query, mode, top_k: topK },
    include: isExplained ? ["provenance", "explain"] : ["provenance"],
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  };
}
