import type { Query } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Folded } from "../../../components/folded.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { ExplanationView } from "./explanation-view.tsx";
import { type Answer, explanationQuery } from "./use-answer.ts";

/** The steps of the search with their numbers, behind a line. */
export function HowFound({
  projectId,
  body,
  answer: { result },
}: {
  readonly projectId: string;
  readonly body: Query;
  readonly answer: Answer;
}) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    ...explanationQuery(projectId, body),
    enabled: isOpen && result.explain === undefined,
  });
  const explanation = result.explain ?? data ?? null;
  return (
    <Folded title="Explain how it was found" onToggle={setOpen}>
      {isOpen && <FaultNotice error={error} />}
      {isOpen && explanation === null && error === null && <Skeleton lines={4} />}
      {isOpen && explanation !== null && (
        <ExplanationView projectId={projectId} explanation={explanation} result={result} />
      )}
    </Folded>
  );
}
