import type { Webhook } from "@kcs/sdk";
import { Badge } from "../../components/badge.tsx";

/** Whether the service sends to it, and why not. */
export function WebhookState({
  webhook: { status, disabled_reason: reason },
}: {
  readonly webhook: Webhook;
}) {
  return (
    <>
      <Badge kind={status === "enabled" ? "good" : "bad"}>
        {status === "enabled" ? "Enabled" : "Disabled"}
      </Badge>
      {reason !== null && <> {reason}</>}
    </>
  );
}
