import type { Webhook, WebhookDelivery } from "@kcs/sdk";

/** What each event is called in the dashboard, of documents that were sent and of those that were read again; programs see its name. */
export const eventWords = {
  "job.completed": "A document was indexed",
  "job.failed": "A document could not be indexed",
  "project.deleted": "A project was deleted",
} as const satisfies Record<Webhook["events"][number], string>;

export function wordsOfEvent(event: WebhookDelivery["event"]): string {
  return event === "webhook.test" ? "A test" : eventWords[event];
}
