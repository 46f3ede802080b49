import type { Reembedding } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { projectQuery, reembeddingQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Notice } from "../../../components/notice.tsx";
import { ProgressBar } from "../../../components/progress-bar.tsx";
import { Section } from "../../../components/section.tsx";

const pollMs = 1_000;

/** Moves a project to the embedding model of new projects. Hidden when it already has that model and is not being moved. */
export function EmbeddingMove({
  projectId,
  own,
  offered,
}: {
  readonly projectId: string;
  /** The model of the project, and the model of new projects. */
  readonly own: string;
  readonly offered: string;
}) {
  const { data: move, error } = useQuery({
    ...reembeddingQuery(projectId),
    refetchInterval: ({ state }) => (isActive(state.data) ? pollMs : false),
  });
  const { start, cancel } = useMoving(projectId, move);
  if (error !== null) return <FaultNotice error={error} />;
  const isMoving = isActive(move);
  if (move === undefined || (own === offered && !isMoving)) return null;
  const target = isMoving ? move.to.embedding_model : offered;
  return (
    <Section
      title="Another embedding model"
      description={`Embeds every chunk again with ${target}, which counts against your tokens. Questions are still answered meanwhile.`}
      action={
        isMoving ? (
          <Button isPending={cancel.isPending} onPress={() => cancel.mutate()}>
            Cancel the move
          </Button>
        ) : (
          <Button variant="primary" isPending={start.isPending} onPress={() => start.mutate()}>
            Move to {offered}
          </Button>
        )
      }
    >
      {isMoving && (
        <ProgressBar
          label={`Chunks moved to ${target}`}
          value={move.chunks_processed}
          total={move.chunks_total}
          unit="chunk"
          note={move.status === "pending" ? "waiting" : ""}
        />
      )}
      {!isMoving && move.status === "failed" && <Notice kind="bad">{move.error_message}</Notice>}
      <FaultNotice error={start.error ?? cancel.error} />
    </Section>
  );
}

function isActive(move: Reembedding | undefined): boolean {
  return move?.status === "pending" || move?.status === "running";
}

/** Starts and cancels a move. Refreshes the project's data when a move ends. */
function useMoving(projectId: string, move: Reembedding | undefined) {
  const queryClient = useQueryClient();
  const wasMoving = useRef(false);
  const isMoving = isActive(move);
  useEffect(() => {
    if (wasMoving.current && !isMoving) void queryClient.invalidateQueries(projectQuery(projectId));
    wasMoving.current = isMoving;
  }, [isMoving, projectId, queryClient]);
  const onSuccess = (next: Reembedding) => {
    wasMoving.current = true;
    queryClient.setQueryData(reembeddingQuery(projectId).queryKey, next);
    if (!isActive(next)) void queryClient.invalidateQueries(projectQuery(projectId));
  };
  return {
    start: useMutation({ mutationFn: () => service.projects.reembed(projectId), onSuccess }),
    cancel: useMutation({ mutationFn: () => service.projects.cancelReembedding(projectId), onSuccess }),
  };
}
