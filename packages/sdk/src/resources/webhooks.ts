import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type {
  ChangeWebhook,
  CreatedWebhook,
  CreateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
} from "../wire.ts";

const PAGE = 100;

export function webhooksResource(transport: Transport) {
  /** Newest first. */
  const deliveries = (
    webhookId: string,
    page: { limit?: number; offset?: number; status?: WebhookDelivery["status"] } = {},
    options?: CallOptions,
  ) =>
    transport.json<WebhookDeliveryList>({
      method: "GET",
      path: pathOf`/webhooks/${webhookId}/deliveries`,
      query: page,
      options,
    });
  return {
    deliveries,

    /** Only this response contains the secret. */
    create: (body: CreateWebhook, options?: CallOptions) =>
      transport.json<CreatedWebhook>({ method: "POST", path: "/webhooks", body, creates: true, options }),

    list: (options?: CallOptions) =>
      transport.json<WebhookList>({ method: "GET", path: "/webhooks", options }),

    get: (webhookId: string, options?: CallOptions) =>
      transport.json<Webhook>({ method: "GET", path: pathOf`/webhooks/${webhookId}`, options }),

    /** Changes what the body has. The secret stays; a `description` of null is removed. */
    change: (webhookId: string, body: ChangeWebhook, options?: CallOptions) =>
      transport.json<Webhook>({ method: "PATCH", path: pathOf`/webhooks/${webhookId}`, body, options }),

    /** Also discards its pending deliveries. */
    delete: (webhookId: string, options?: CallOptions) =>
      transport.empty({ method: "DELETE", path: pathOf`/webhooks/${webhookId}`, options }),

    /** Sends a test event immediately and resolves to its delivery. */
    test: (webhookId: string, options?: CallOptions) =>
      transport.json<WebhookDelivery>({
        method: "POST",
        path: pathOf`/webhooks/${webhookId}/test`,
        options,
      }),

    /** Yields all stored deliveries, newest first. */
    eachDelivery: (webhookId: string, options?: CallOptions) =>
      eachItem<WebhookDelivery, WebhookDeliveryList>({
        pageSize: PAGE,
        page: (limit, offset) => deliveries(webhookId, { limit, offset }, options),
        itemsOf: (page) => page.deliveries,
      }),
  };
}
