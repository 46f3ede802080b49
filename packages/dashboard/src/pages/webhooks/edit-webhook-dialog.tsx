import type { Webhook } from "@kcs/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { service } from "../../api/service.ts";
import { webhooksQuery } from "../../api/webhooks.ts";
import { webhookChanges } from "./webhook-changes.ts";
import { type WebhookFields, WebhookForm } from "./webhook-form.tsx";

export function EditWebhookDialog({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const save = async (fields: WebhookFields) => {
    const changes = webhookChanges(webhook, fields);
    if (changes !== null) await service.webhooks.change(webhook.webhook_id, changes);
    await queryClient.invalidateQueries(webhooksQuery);
    onClose();
  };
  return (
    <WebhookForm
      title="Edit the webhook"
      action="Save"
      initial={{ url: webhook.url, description: webhook.description ?? "", events: webhook.events }}
      onSubmit={save}
      onClose={onClose}
    />
  );
}
