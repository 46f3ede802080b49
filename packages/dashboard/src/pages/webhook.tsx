import type { WebhookDelivery } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { useState } from "react";
import { service } from "../api/service.ts";
import { webhookQuery, webhooksQuery } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Facts } from "../components/facts.tsx";
import { FaultNotice } from "../components/fault-notice.tsx";
import { Notice } from "../components/notice.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { Time } from "../components/time.tsx";
import styles from "./webhook.module.css";
import { Deliveries } from "./webhooks/deliveries.tsx";
import { EditWebhookDialog } from "./webhooks/edit-webhook-dialog.tsx";
import { EventList } from "./webhooks/event-list.tsx";
import { WebhookState } from "./webhooks/webhook-state.tsx";

/** A webhook: its state, a test, and what was sent to it. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: "/signed-in/webhooks/$webhookId" });
  const { data: webhook, error } = useQuery(webhookQuery(webhookId));
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "disable" | "delete" | null>(null);
  const close = () => setOpen(null);
  const testing = useMutation({
    mutationFn: () => service.webhooks.test(webhookId),
    // A test that is accepted enables the webhook again.
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhookQuery(webhookId).queryKey }),
  });
  const switching = useMutation({
    mutationFn: (status: "enabled" | "disabled") => service.webhooks.change(webhookId, { status }),
    onSuccess: () => queryClient.invalidateQueries(webhooksQuery),
  });
  if (error !== null) return <PageFault error={error} />;
  if (webhook === undefined) return <PageSkeleton />;
  const remove = async () => {
    await service.webhooks.delete(webhookId);
    await queryClient.invalidateQueries({ ...webhooksQuery, exact: true });
    await navigate({ to: "/webhooks" });
  };
  return (
    <div className={styles.page}>
      <p>
        <Link to="/webhooks">All webhooks</Link>
      </p>
      <PageHeader title={webhook.description ?? new URL(webhook.url).host} windowTitle="Webhook">
        <Button variant="primary" isPending={testing.isPending} onPress={() => testing.mutate()}>
          <Send aria-hidden size={16} /> {testing.isPending ? "Sending …" : "Send a test"}
        </Button>
        <Button onPress={() => setOpen("edit")}>Edit</Button>
        {webhook.status === "enabled" ? (
          <Button onPress={() => setOpen("disable")}>Disable</Button>
        ) : (
          <Button isPending={switching.isPending} onPress={() => switching.mutate("enabled")}>
            Enable
          </Button>
        )}
        <Button variant="danger" onPress={() => setOpen("delete")}>
          Delete
        </Button>
      </PageHeader>
      {testing.data !== undefined && <TestOutcome delivery={testing.data} />}
      <FaultNotice error={testing.error ?? switching.error} />
      <Facts
        items={[
          { label: "URL", value: webhook.url },
          { label: "Events", value: <EventList events={webhook.events} /> },
          { label: "State", value: <WebhookState webhook={webhook} /> },
          { label: "Added", value: <Time at={webhook.created_at} /> },
        ]}
      />
      <Deliveries webhookId={webhookId} />
      {open === "edit" && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === "disable" && (
        <ConfirmDialog
          title="Disable this webhook?"
          action="Disable"
          onConfirm={() => switching.mutateAsync("disabled")}
          onClose={close}
        >
          Messages that wait for it fail, and nothing that happens meanwhile is sent later. You can enable it
          again.
        </ConfirmDialog>
      )}
      {open === "delete" && (
        <ConfirmDialog title="Delete this webhook?" action="Delete" onConfirm={remove} onClose={close}>
          Messages that still wait for it are not sent any more. This cannot be undone.
        </ConfirmDialog>
      )}
    </div>
  );
}

function TestOutcome({
  delivery: { status, response_status: code, duration_ms: ms, error },
}: {
  readonly delivery: WebhookDelivery;
}) {
  if (status === "delivered")
    return (
      <Notice kind="good">
        The receiver accepted the test with {code} after {(ms ?? 0).toLocaleString("en")} ms.
      </Notice>
    );
  return <Notice kind="bad">The test was not accepted: {error ?? `the receiver answered ${code}`}.</Notice>;
}
