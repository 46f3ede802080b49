import { useQueryClient } from "@tanstack/react-query";
import { ontologiesQuery } from "../../api/ontologies.ts";
import { service } from "../../api/service.ts";
import { toasts } from "../../app/toasts/toast-store.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";

/** Deletes an ontology that no project uses: the service refuses others. */
export function DeleteOntologyDialog({
  ontology: { id, name },
  onDeleted,
  onClose,
}: {
  readonly ontology: { readonly id: string; readonly name: string };
  readonly onDeleted?: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const remove = async () => {
    await service.ontologies.delete(id);
    toasts.show({ text: `The ontology “${name}” was deleted.` });
    await onDeleted?.();
    await queryClient.invalidateQueries({ queryKey: ontologiesQuery.queryKey, exact: true });
  };
  return (
    <ConfirmDialog title={`Delete “${name}”?`} action="Delete" onConfirm={remove} onClose={onClose}>
      The ontology is deleted with all its versions, which cannot be undone.
    </ConfirmDialog>
  );
}
