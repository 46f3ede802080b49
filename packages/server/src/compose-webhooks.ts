import { randomBytes } from "node:crypto";
import { createWebhookSender } from "./adapters/webhooks/http-sender.ts";
import type { Config } from "./config.ts";
import { presentEvent } from "./http/present-events.ts";
import type { Log } from "./ports/log.ts";
import type { Store } from "./ports/store.ts";
import type { WebhookSender } from "./ports/webhook-sender.ts";
import { createWebhookDelivery } from "./services/webhook-delivery.ts";
import { startWebhookLoop, type WebhookLoop } from "./worker/webhook-loop.ts";

/** Begins to deliver what waits; `sender` is for tests that somebody asks for. */
export function startWebhooks(
  store: Store,
  config: Pick<Config, "webhookPrivate">,
  log: Log,
): { readonly sender: WebhookSender; readonly loop: WebhookLoop } {
  const sender = createWebhookSender({
    allowPrivate: config.webhookPrivate === "allow",
    userAgent: "Knowledge-Context-Service",
  });
  const delivery = createWebhookDelivery({
    ...{ store, sender, log, present: presentEvent, now: Date.now, random: Math.random },
    newLeaseToken: () => randomBytes(16).toString("hex"),
  });
  return { sender, loop: startWebhookLoop({ delivery, log }) };
}
