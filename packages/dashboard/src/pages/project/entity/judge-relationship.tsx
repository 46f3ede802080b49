import type { EvidencedRelationship, Proposal } from "@kcs/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { refreshProject, useCorrect } from "../../../api/corrections.ts";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { wordsOf } from "../graph/link-text.ts";
import styles from "./judge-relationship.module.css";

/** Buttons with which a person says whether a relationship, or one that is only proposed, is right. */
export function JudgeRelationship({
  projectId,
  relationship,
}: {
  readonly projectId: string;
  readonly relationship: Pick<Proposal, "source" | "type" | "target"> &
    Pick<EvidencedRelationship, "confirmed">;
}) {
  const { source, type, target, confirmed } = relationship;
  const client = useQueryClient();
  const correct = useCorrect(projectId);
  const what = `${source.name} ${wordsOf(type)} ${target.name}`;
  const judging = useMutation({
    async mutationFn(kind: "confirm" | "reject") {
      const ends = {
        source: { type: source.type, name: source.name },
        target: { type: target.type, name: target.name },
      };
      const text = `${kind === "confirm" ? "Confirmed" : "Rejected"}: ${what}`;
      await correct({ kind, type, ...ends }, { text });
      await refreshProject(client, projectId);
    },
  });
  return (
    <div className={styles.judge}>
      {confirmed === true ? (
        <Badge kind="good">Confirmed</Badge>
      ) : (
        <Button
          size="small"
          variant="quiet"
          aria-label={`Confirm: ${what}`}
          isPending={judging.isPending}
          onPress={() => judging.mutate("confirm")}
        >
          <Check aria-hidden size={14} /> Confirm
        </Button>
      )}
      <Button
        size="small"
        variant="quietDanger"
        aria-label={`Reject: ${what}`}
        isPending={judging.isPending}
        onPress={() => judging.mutate("reject")}
      >
        <X aria-hidden size={14} /> Reject
      </Button>
      <FaultNotice error={judging.error} />
    </div>
  );
}
