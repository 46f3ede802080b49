import type { Webhook } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { webhooksQuery } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { CreateWebhookDialog } from "./webhooks/create-webhook-dialog.tsx";
import { EventList } from "./webhooks/event-list.tsx";
import { WebhookState } from "./webhooks/webhook-state.tsx";
import styles from "./webhooks.module.css";

/** The URLs to which the service sends events of the account. */
export function WebhooksPage() {
  const { data: webhooks, error } = useQuery(webhooksQuery);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden size={16} /> Add a webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="The service sends a signed message to your URL when a job ends or a project is deleted."
      >
        {create}
      </PageHeader>
      {error !== null ? (
        <PageFault error={error} />
      ) : webhooks === undefined ? (
        <PageSkeleton />
      ) : webhooks.length === 0 ? (
        <EmptyState title="No webhook yet" action={create}>
          Add the URL of a program that waits for documents to be indexed. It needs no polling then.
        </EmptyState>
      ) : (
        <Table label="Webhooks" columns={columns} rows={webhooks} keyOf={({ webhook_id: id }) => id} />
      )}
      {isCreating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
    </>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    title: "URL",
    cell: ({ webhook_id: webhookId, url }) => (
      <div className={styles.url}>
        <Link to="/webhooks/$webhookId" params={{ webhookId }}>
          {url}
        </Link>
      </div>
    ),
  },
  { title: "Description", cell: ({ description }) => <bdi>{description ?? "–"}</bdi> },
  { title: "Events", cell: ({ events }) => <EventList events={events} /> },
  { title: "State", cell: (webhook) => <WebhookState webhook={webhook} /> },
  { title: "Added", cell: ({ created_at: at }) => <Time at={at} /> },
];
