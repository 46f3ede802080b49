import { addToAnswer, emptyAnswer, type Query, type QueryResult } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { retainedKey } from "../../../api/retained-key.ts";
import { service } from "../../../api/service.ts";
import type { Question } from "./question-form.tsx";
import { metadataFilter } from "./search-filter.ts";

/** Number of questions kept with their answers until the page is reloaded. */
const maxKeptQuestions = 20;

export interface AskedQuestion {
  readonly id: number;
  readonly question: Question;
  readonly body: Query;
  readonly answer: QueryResult;
  /** Time from sending the question to receiving the answer. */
  readonly milliseconds: number;
}

/** Asks questions, one at a time, and keeps those of this session with their answers. */
export function useAskedQuestions(projectId: string) {
  const queryClient = useQueryClient();
  const key = [retainedKey, "asked", projectId];
  const stop = useRef<AbortController | null>(null);
  const [shownId, show] = useState<number | null>(null);
  /** What has arrived of the answer that is being made. */
  const [partial, setPartial] = useState<AskedQuestion | null>(null);
  // Never fetched: `onSuccess` below writes the answers into the query cache.
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
      const startedAt = performance.now();
      const asked = { id: Date.now(), question, body };
      let answer = emptyAnswer;
      const soFar = () => ({ ...asked, answer, milliseconds: performance.now() - startedAt });
      try {
        for await (const event of service.streamQuery(projectId, body, { signal: abort.signal })) {
          answer = addToAnswer(answer, event);
          setPartial(soFar());
        }
        return soFar();
      } catch (error) {
        if (abort.signal.aborted) return null;
        throw error;
      } finally {
        setPartial(null);
      }
    },
    onSuccess(latest) {
      if (latest === null) return;
      queryClient.setQueryData<readonly AskedQuestion[]>(key, (before = []) => [
        latest,
        ...before.slice(0, maxKeptQuestions - 1),
      ]);
      show(latest.id);
    },
  });
  return {
    asked,
    shown: asked.find(({ id }) => id === shownId) ?? asked[0] ?? null,
    partial,
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

function bodyOf(question: Question): Query {
  const { query, mode, topK, maxPerDocument, documents, conditions, isExplained } = question;
  const metadata = metadataFilter(conditions);
  const filter = {
    ...(documents.length === 0 ? {} : { source_doc_id: [...documents] }),
    ...(metadata === null ? {} : { metadata }),
  };
  return {
    query,
    mode,
    top_k: topK,
    // As many as there are passages is any number.
    ...(maxPerDocument === 0 || maxPerDocument >= topK ? {} : { max_per_document: maxPerDocument }),
    include: [
      "provenance" as const,
      ...(isExplained ? ["explain" as const] : []),
      ...(mode === "dynamic" ? ["steps" as const] : []),
    ],
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  };
}
