import type { WebhookDelivery } from "@kcs/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

export const deliveriesPerPage = 50;
const pollMs = 3_000;

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: ({ signal }) => service.webhooks.list({ signal }).then(({ webhooks }) => webhooks),
});

export function webhookQuery(webhookId: string) {
  return queryOptions({
    queryKey: ["webhooks", webhookId],
    queryFn: ({ signal }) => service.webhooks.get(webhookId, { signal }),
  });
}

/** Newest first. Asked for again while some are not accepted yet. */
export function deliveriesQuery(webhookId: string, from: number, status: WebhookDelivery["status"] | null) {
  return queryOptions({
    queryKey: ["webhooks", webhookId, "deliveries", from, status],
    queryFn: ({ signal }) =>
      service.webhooks.deliveries(
        webhookId,
        { limit: deliveriesPerPage, offset: from, ...(status !== null && { status }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === "pending") ? pollMs : false,
  });
}
