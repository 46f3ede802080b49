import type { ChangeWebhook, Webhook } from "@kcs/sdk";
import type { WebhookFields } from "./webhook-form.tsx";

/** What differs, so that a URL that was allowed once is not checked again; null where nothing does. */
export function webhookChanges(
  webhook: Pick<Webhook, "url" | "description" | "events">,
  { url, description, events }: WebhookFields,
): ChangeWebhook | null {
  const isOther =
    events.length !== webhook.events.length || !events.every((name) => webhook.events.includes(name));
  const changes: ChangeWebhook = {
    ...(url !== webhook.url && { url }),
    ...(description !== (webhook.description ?? "") && { description: description || null }),
    ...(isOther && { events: [...events] }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}
