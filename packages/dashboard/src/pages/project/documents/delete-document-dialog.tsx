import { useQueryClient } from "@tanstack/react-query";
import { documentQuery } from "../../../api/documents.ts";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";

export function DeleteDocumentDialog({
  projectId,
  id,
  onClose,
  onDeleted,
}: {
  readonly projectId: string;
  readonly id: string;
  readonly onClose: () => void;
  readonly onDeleted?: () => Promise<unknown>;
}) {
  const queryClient = useQueryClient();
  const remove = async () => {
    await service.documents.delete(projectId, id);
    const lists = { queryKey: [...projectQuery(projectId).queryKey, "documents"] };
    await queryClient.invalidateQueries({ ...lists, refetchType: "all" });
    await onDeleted?.();
    queryClient.removeQueries({ queryKey: documentQuery(projectId, id).queryKey });
    await queryClient.invalidateQueries(projectQuery(projectId));
  };
  return (
    <ConfirmDialog title={`Delete “${id}”?`} action="Delete" onConfirm={remove} onClose={onClose}>
      This also deletes its chunks and the part of the graph that no other document supports. Answers no
      longer use it.
    </ConfirmDialog>
  );
}
