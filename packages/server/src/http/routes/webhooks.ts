import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { StoredWebhook } from "../../ports/event-store.ts";
import type { WebhookService } from "../../services/webhooks.ts";
import { check, checkLater, jsonBody } from "../body.ts";
import {
  presentCreatedWebhook,
  presentDeliveries,
  presentDelivery,
  presentWebhook,
} from "../present-events.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addWebhookRoutes(app: FastifyInstance, webhooks: WebhookService): void {
  addCreatingEndpoint<StoredWebhook>(app, "createWebhook", {
    create(request, _reply, once) {
      const { url, events, description = null } = check(bodies.createWebhookBody, jsonBody(request).value);
      return webhooks.create(requireCaller(request), { url, events, description }, once);
    },
    present: presentCreatedWebhook,
  });

  addEndpoint(app, "listWebhooks", {
    handler: async (request) => ({
      webhooks: (await webhooks.list(requireCaller(request))).map(presentWebhook),
    }),
  });

  addEndpoint(app, "getWebhook", {
    handler: async (request) =>
      presentWebhook(await webhooks.get(requireCaller(request), pathParameter(request, "webhook_id"))),
  });

  addEndpoint(app, "changeWebhook", {
    async handler(request) {
      const body = checkLater(bodies.changeWebhookBody, jsonBody(request).value);
      const change = () => {
        const { url, events, description, status } = body();
        return {
          ...(url !== undefined && { url }),
          ...(events !== undefined && { events }),
          ...(description !== undefined && { description }),
          ...(status !== undefined && { isEnabled: status === "enabled" }),
        };
      };
      const webhookId = pathParameter(request, "webhook_id");
      return presentWebhook(await webhooks.change(requireCaller(request), webhookId, change));
    },
  });

  addEndpoint(app, "deleteWebhook", {
    handler: (request) => webhooks.delete(requireCaller(request), pathParameter(request, "webhook_id")),
  });

  addEndpoint(app, "listWebhookDeliveries", {
    async handler(request) {
      const parameters = checkLater(bodies.deliveryListParameters, request.query);
      const listing = () => {
        const { limit, offset, status } = parameters();
        return { page: { limit: limit ?? bodies.LIMITS.jobPage.fallback, offset: offset ?? 0 }, status };
      };
      const webhookId = pathParameter(request, "webhook_id");
      const listed = await webhooks.listDeliveries(requireCaller(request), webhookId, listing);
      return presentDeliveries(listed, listing().page);
    },
  });

  addEndpoint(app, "testWebhook", {
    handler: async (request) =>
      presentDelivery(await webhooks.test(requireCaller(request), pathParameter(request, "webhook_id"))),
  });
}
