import { useQueryClient } from "@tanstack/react-query";
import { deletions, undoMs, undoWords } from "../../../api/deletions.ts";
import { projectQuery } from "../../../api/projects.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { counted } from "../../../components/counted.ts";

/** Deletes documents after the time in which it can be undone. */
export function useDocumentDeletion(projectId: string): (sourceDocIds: readonly string[]) => void {
  const queryClient = useQueryClient();
  return (sourceDocIds) => {
    const undo = deletions.schedule({ projectId, sourceDocIds }, async ({ failed, reason }) => {
      if (failed > 0)
        toasts.show({ kind: "bad", text: `${counted(failed, "document")} not deleted: ${reason}` });
      await queryClient.invalidateQueries({ ...projectQuery(projectId), refetchType: "all" });
    });
    const [first] = sourceDocIds;
    const isOne = sourceDocIds.length === 1;
    const them = isOne ? `“${first}”` : counted(sourceDocIds.length, "document");
    toasts.show({
      projectId,
      text: `${them} ${isOne ? "was" : "were"} deleted. ${undoWords}`,
      action: {
        label: "Undo",
        onPress: () =>
          undo()
            ? toasts.show({ text: `Undone: ${them} ${isOne ? "is" : "are"} kept.` })
            : toasts.show({
                kind: "bad",
                text: `It is too late to undo this: ${them} ${isOne ? "is" : "are"} deleted.`,
              }),
      },
      forMs: undoMs,
    });
  };
}
