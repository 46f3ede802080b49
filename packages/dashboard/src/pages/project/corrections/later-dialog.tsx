import type { ListedCorrection } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { correctionEvidenceQuery } from "../../../api/corrections.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { periodWords } from "../../../components/time-words.ts";
import { correctionWords } from "../entity/correction-words.ts";
import { EvidenceList } from "../graph/evidence-list.tsx";
import styles from "./later-dialog.module.css";

/** What texts that were ingested after a correction say of it. */
export function LaterDialog({
  projectId,
  correction,
  onClose,
}: {
  readonly projectId: string;
  readonly correction: ListedCorrection;
  readonly onClose: () => void;
}) {
  const { data, error } = useQuery(correctionEvidenceQuery(projectId, correction.correction_id));
  return (
    <Dialog title="Texts ingested later" isOpen onClose={onClose}>
      <div className={styles.parts}>
        <p>
          <bdi>{correctionWords(correction)}</bdi>
        </p>
        <FaultNotice error={error} />
        {data === undefined && error === null && <Skeleton lines={3} />}
        {data !== undefined && data.conflicts.length > 0 && (
          <section className={styles.parts}>
            <h3>Against it</h3>
            <p>The correction stays until you undo it.</p>
            {data.conflicts.map(({ kind, at, target, evidence }) => (
              <div key={`${kind} ${target.entity_id} ${evidence.chunk_id}/${evidence.start}`}>
                <p className={styles.kind}>
                  {kind === "ended" ? `Ended: ${periodWords(at)}` : `Another one since ${periodWords(at)}: `}
                  {kind === "other_target" && <bdi>{target.name}</bdi>}
                </p>
                <EvidenceList projectId={projectId} items={[evidence]} />
              </div>
            ))}
          </section>
        )}
        {data !== undefined && data.passages.length > 0 && (
          <section className={styles.parts}>
            <h3>Sentences that it changes</h3>
            <EvidenceList projectId={projectId} items={data.passages} />
          </section>
        )}
        <DialogActions>
          <Button onPress={onClose}>Done</Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
