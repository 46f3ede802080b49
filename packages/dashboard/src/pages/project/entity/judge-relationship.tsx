import type { EvidencedRelationship } from "@kcs/sdk";
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, MessageSquare, X } from "lucide-react";
import { useState } from "react";
import { type NewCorrection, reasonOf, refreshProject, useCorrect } from "../../../api/corrections.ts";
import { proposalsOfType } from "../../../api/graph.ts";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { TextField } from "../../../components/text-field.tsx";
import { factOf, type JudgedFact, type Verdict, verdictOn } from "../graph/proposal-key.ts";
import { undoneWords } from "./correction-words.ts";
import styles from "./judge-relationship.module.css";
import { maxCompared, movedWords } from "./moved-words.ts";

/** Buttons with which a person says whether a relationship, or one that is only proposed, is right. */
export function JudgeRelationship({
  projectId,
  relationship,
}: {
  readonly projectId: string;
  readonly relationship: JudgedFact & Pick<EvidencedRelationship, "confirmed">;
}) {
  const { type, confirmed } = relationship;
  const client = useQueryClient();
  const correct = useCorrect(projectId);
  const [isExplained, setExplained] = useState(false);
  const what = factOf(relationship);
  const judging = useMutation({
    async mutationFn({ kind, reason = "" }: { readonly kind: Verdict; readonly reason?: string }) {
      const text = `${kind === "confirm" ? "Confirmed" : "Rejected"}: ${what}`;
      const verdict: NewCorrection = { ...verdictOn(kind, relationship), ...reasonOf(reason) };
      const read = () => proposalsOfType(projectId, type, maxCompared);
      const before = await read();
      await correct(verdict, {
        ...{ text, undone: undoneWords(verdict) },
        readEffect: async () => movedWords(relationship, before, await read()),
      });
      await refreshProject(client, projectId);
    },
    onSuccess: () => setExplained(false),
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
          onPress={() => judging.mutate({ kind: "confirm" })}
        >
          <Check aria-hidden size={14} /> Confirm
        </Button>
      )}
      <Button
        size="small"
        variant="quietDanger"
        aria-label={`Reject: ${what}`}
        isPending={judging.isPending}
        onPress={() => judging.mutate({ kind: "reject" })}
      >
        <X aria-hidden size={14} /> Reject
      </Button>
      <Button size="small" variant="quiet" aria-label={`Say why: ${what}`} onPress={() => setExplained(true)}>
        <MessageSquare aria-hidden size={14} /> Say why
      </Button>
      {isExplained ? (
        <ReasonDialog
          what={what}
          isConfirmed={confirmed === true}
          judging={judging}
          onClose={() => setExplained(false)}
        />
      ) : (
        <FaultNotice error={judging.error} />
      )}
    </div>
  );
}

function ReasonDialog({
  what,
  isConfirmed,
  judging,
  onClose,
}: {
  readonly what: string;
  readonly isConfirmed: boolean;
  readonly judging: UseMutationResult<void, Error, { readonly kind: Verdict; readonly reason?: string }>;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  return (
    <Dialog title="Is it right?" isOpen onClose={onClose}>
      <div className={formStyles.form}>
        <p>
          <bdi>{what}</bdi>
        </p>
        <TextField label="Reason" value={reason} onChange={setReason} autoFocus />
        <FaultNotice error={judging.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="danger"
            isPending={judging.isPending}
            onPress={() => judging.mutate({ kind: "reject", reason })}
          >
            Reject
          </Button>
          {!isConfirmed && (
            <Button
              variant="primary"
              isPending={judging.isPending}
              onPress={() => judging.mutate({ kind: "confirm", reason })}
            >
              Confirm
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  );
}
