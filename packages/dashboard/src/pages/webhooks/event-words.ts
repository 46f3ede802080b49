import type { Webhook, WebhookDelivery } from "@kcs/sdk";

/** What each event is called in the dashboard; programs see its name. */
export const eventWords = {
  "job.completed": "A document was ingested",
  "job.failed": "A document could not be ingested",
  "project.deleted": "A project was deleted",
} as const satisfies Record<Webhook["events"][number], string>;

export function wordsOfEvent(event: WebhookDelivery["event"]): string {
  return event === "webhook.test" ? "A test" : eventWords[event];
}
