import type { Reread } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { correctionCountsQuery } from "../../../api/corrections.ts";
import { projectQuery, rereadQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Notice } from "../../../components/notice.tsx";
import { ProgressBar } from "../../../components/progress-bar.tsx";
import { Section } from "../../../components/section.tsx";

const pollMs = 1_000;

/** Reads all documents of a project with a graph again. */
export function ReadAgain({ projectId }: { readonly projectId: string }) {
  const { data: reread, error } = useQuery({
    ...rereadQuery(projectId),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? pollMs : false),
  });
  const { start, cancel } = useReading(projectId, reread);
  if (error !== null) return <FaultNotice error={error} />;
  if (reread === undefined) return null;
  const isRunning = reread.status === "running";
  return (
    <Section
      title="Read the documents again"
      description="After an update of the service, the graph of a document stays as it was read. Reading again brings all documents up to date. Questions are still answered meanwhile."
      action={
        isRunning ? (
          <Button isPending={cancel.isPending} onPress={() => cancel.mutate()}>
            Stop reading
          </Button>
        ) : (
          <Button isPending={start.isPending} onPress={() => start.mutate()}>
            Read again
          </Button>
        )
      }
    >
      {isRunning && (
        <ProgressBar
          label="Documents read again"
          value={reread.documents_processed}
          total={reread.documents_total}
          unit="document"
        />
      )}
      {!isRunning && <Outcome reread={reread} />}
      {!isRunning && reread.created_at !== null && <WithoutEffect projectId={projectId} />}
      <FaultNotice error={start.error ?? cancel.error} />
    </Section>
  );
}

function Outcome({ reread }: { readonly reread: Reread }) {
  const { status, documents_processed: done, documents_failed: failed, documents_total: total } = reread;
  if (reread.created_at === null) return null;
  const read = `${done - failed} of ${total} documents were read again.`;
  if (status === "failed")
    return (
      <Notice kind="bad">
        {read} {reread.error_message}
      </Notice>
    );
  if (failed > 0) return <Notice kind="bad">{read} The page of jobs shows why the others were not.</Notice>;
  return <p>{read}</p>;
}

/** Corrections that the reading has left without effect, as with another ontology. */
function WithoutEffect({ projectId }: { readonly projectId: string }) {
  const { data } = useQuery(correctionCountsQuery(projectId));
  if (data === undefined || data.without === 0) return null;
  return (
    <Notice kind="warn">
      {counted(data.without, "correction has", "corrections have")} no effect on the documents as they are
      read now.{" "}
      <Link
        to="/projects/$projectId/corrections"
        params={{ projectId }}
        search={{ state: "without_evidence" }}
      >
        Show {data.without === 1 ? "it" : "them"}
      </Link>
    </Notice>
  );
}

/** Starts and cancels a reread. Refreshes the project's data when one ends. */
function useReading(projectId: string, reread: Reread | undefined) {
  const queryClient = useQueryClient();
  const wasRunning = useRef(false);
  const isRunning = reread?.status === "running";
  useEffect(() => {
    if (wasRunning.current && !isRunning) void queryClient.invalidateQueries(projectQuery(projectId));
    wasRunning.current = isRunning;
  }, [isRunning, projectId, queryClient]);
  const onSuccess = (next: Reread) => {
    wasRunning.current = true;
    queryClient.setQueryData(rereadQuery(projectId).queryKey, next);
  };
  return {
    start: useMutation({ mutationFn: () => service.projects.reread(projectId), onSuccess }),
    cancel: useMutation({ mutationFn: () => service.projects.cancelReread(projectId), onSuccess }),
  };
}
