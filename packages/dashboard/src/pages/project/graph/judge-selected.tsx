import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { refreshProject, useCorrectAll } from "../../../api/corrections.ts";
import { messageOf } from "../../../api/fault.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import { SelectionFrame } from "../../../components/selection-frame.tsx";
import { effectOfAll } from "./confirm-effect.ts";
import { factOf, maxJudged, type Proposals, type Verdict, verdictOn } from "./proposal-key.ts";

/** Confirms or rejects all selected proposals, with one undo. */
export function JudgeSelected({
  projectId,
  selected,
  onDone,
}: {
  readonly projectId: string;
  readonly selected: Proposals;
  readonly onDone: () => void;
}) {
  const client = useQueryClient();
  const correctAll = useCorrectAll(projectId);
  const proposals = [...selected.values()];
  const judging = useMutation({
    async mutationFn(kind: Verdict) {
      const what = counted(proposals.length, "relationship");
      await correctAll(
        proposals.map((each) => verdictOn(kind, each)),
        {
          text: `${what} ${kind === "confirm" ? "confirmed" : "rejected"}.`,
          list: proposals.map(factOf),
          undone: `No longer ${kind === "confirm" ? "confirmed" : "rejected"}: ${what}`,
        },
      );
      await refreshProject(client, projectId);
    },
    onSuccess: onDone,
    onError: (error) => toasts.show({ kind: "bad", text: messageOf(error) }),
  });
  const count = proposals.length.toLocaleString("en");
  const isFull = proposals.length >= maxJudged;
  return (
    <SelectionFrame
      label="Selected proposals"
      words={`${count} selected${isFull ? ". No more can be judged at once." : ""}`}
      note={effectOfAll(proposals)}
    >
      <Button size="small" isPending={judging.isPending} onPress={() => judging.mutate("confirm")}>
        <Check aria-hidden size={14} /> Confirm {count}
      </Button>
      <Button
        size="small"
        variant="danger"
        isPending={judging.isPending}
        onPress={() => judging.mutate("reject")}
      >
        <X aria-hidden size={14} /> Reject {count}
      </Button>
      <Button size="small" variant="quiet" onPress={onDone}>
        Clear
      </Button>
    </SelectionFrame>
  );
}
