import { useQueryClient } from "@tanstack/react-query";
import { type ApiKey, keysQuery, revokeKey } from "../../api/keys.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";

export function RevokeKeyDialog({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const revoke = async () => {
    await revokeKey(apiKey.id);
    await queryClient.invalidateQueries(keysQuery);
  };
  return (
    <ConfirmDialog title={`Revoke “${apiKey.name}”?`} action="Revoke" onConfirm={revoke} onClose={onClose}>
      The service rejects all further requests with this key. This cannot be undone.
    </ConfirmDialog>
  );
}
