import type { EntityDetail, ListedCorrection } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { allCorrectionsQuery, refreshProject, undoCorrection } from "../../../api/corrections.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Folded } from "../../../components/folded.tsx";
import listStyles from "../../../components/list.module.css";
import { Time } from "../../../components/time.tsx";
import { correctionWords, undoneWords } from "./correction-words.ts";
import styles from "./rejected-list.module.css";
import { rejectedOf } from "./rejected-of.ts";

/** What people have rejected of an entity, behind a line; in view where nothing else is left of it. */
export function RejectedList({
  projectId,
  entity,
  isOpen,
}: {
  readonly projectId: string;
  readonly entity: EntityDetail;
  readonly isOpen: boolean;
}) {
  const { data } = useQuery(allCorrectionsQuery(projectId));
  const rejected = rejectedOf(entity, data ?? []);
  const client = useQueryClient();
  const undoing = useMutation({
    async mutationFn(correction: ListedCorrection) {
      await undoCorrection(projectId, correction.correction_id);
      await refreshProject(client, projectId);
      toasts.show({ text: undoneWords(correction) });
    },
  });
  if (rejected.length === 0) return null;
  return (
    <Folded title={counted(rejected.length, "rejected relationship")} isOpen={isOpen}>
      <ul className={listStyles.list}>
        {rejected.map((each) => (
          <li key={each.correction_id} className={styles.item}>
            <div>
              <p>
                <bdi>{correctionWords(each)}</bdi>
              </p>
              <p className={styles.note}>
                <Time at={each.created_at} />
                {each.reason !== null && (
                  <>
                    . Reason: <bdi>{each.reason}</bdi>
                  </>
                )}
              </p>
            </div>
            <Button
              size="small"
              aria-label={`Undo: ${correctionWords(each)}`}
              isPending={undoing.isPending}
              onPress={() => undoing.mutate(each)}
            >
              <Undo2 aria-hidden size={14} /> Undo
            </Button>
          </li>
        ))}
      </ul>
      <FaultNotice error={undoing.error} />
    </Folded>
  );
}
