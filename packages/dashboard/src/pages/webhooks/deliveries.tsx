import type { WebhookDelivery } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { projectsQuery } from "../../api/projects.ts";
import { deliveriesPerPage, deliveriesQuery } from "../../api/webhooks.ts";
import { Badge } from "../../components/badge.tsx";
import { ChoiceChips } from "../../components/choice-chips.tsx";
import { DeletedProject } from "../../components/deleted-project.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { Pager } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import styles from "./deliveries.module.css";
import { wordsOfEvent } from "./event-words.ts";

type State = WebhookDelivery["status"];

/** What was sent to a webhook and what waits for it, by state, each with what it is about. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const [from, setFrom] = useState(0);
  const [state, setState] = useState<State | "all">("all");
  const { data, error, isPlaceholderData } = useQuery(
    deliveriesQuery(webhookId, from, state === "all" ? null : state),
  );
  const choose = (next: State | "all") => {
    setState(next);
    setFrom(0);
  };
  return (
    <Section
      title="Deliveries"
      description="Those that wait, and the last 200 that ended. A message that is not accepted is sent again for two days."
    >
      <ChoiceChips label="State" choices={choices} chosen={state} onChange={choose} />
      <FaultNotice error={error} />
      {data === undefined ? (
        error === null && <Skeleton lines={4} />
      ) : data.deliveries.length === 0 ? (
        <p className={styles.none}>
          {state === "all"
            ? "Nothing was sent yet. Send a test to see whether the receiver answers."
            : "No delivery in this state."}
        </p>
      ) : (
        <Table
          label="Deliveries"
          columns={columns}
          rows={data.deliveries}
          keyOf={({ delivery_id: id }) => id}
        />
      )}
      {data !== undefined && (
        <Pager
          from={from}
          shown={data.deliveries.length}
          pageSize={deliveriesPerPage}
          isLoading={isPlaceholderData}
          total={data.total}
          onChange={setFrom}
        />
      )}
    </Section>
  );
}

const states = {
  delivered: { kind: "good", text: "Delivered" },
  pending: { kind: "accent", text: "To be sent" },
  failed: { kind: "bad", text: "Failed" },
} as const;

const choices = [
  { id: "all", label: "All" },
  ...(["delivered", "pending", "failed"] as const).map((id) => ({ id, label: states[id].text })),
] as const;

/** The document and its project, and what tells it from every other delivery. */
function Subject({
  delivery: { delivery_id: id, project_id: projectId, source_doc_id: name, event },
}: {
  readonly delivery: WebhookDelivery;
}) {
  const { data } = useQuery(projectsQuery);
  const project = data?.projects.find(({ project_id: each }) => each === projectId);
  return (
    <span className={styles.subject}>
      {projectId !== null && name !== null && project !== undefined ? (
        <Link to="/projects/$projectId/document" params={{ projectId }} search={{ id: name }} dir="auto">
          {name}
        </Link>
      ) : (
        name !== null && <bdi>{name}</bdi>
      )}
      <span className={styles.faint}>
        {projectId !== null && (
          <>
            {project !== undefined ? (
              <bdi>{project.name}</bdi>
            ) : data === undefined ? (
              "…"
            ) : (
              <DeletedProject id={projectId} />
            )}{" "}
            ·{" "}
          </>
        )}
        <code title={`${event}: the webhook-id header of its message`}>{id}</code>
      </span>
    </span>
  );
}

const columns: readonly Column<WebhookDelivery>[] = [
  { title: "Event", cell: ({ event }) => <span title={event}>{wordsOfEvent(event)}</span> },
  { title: "About", cell: (delivery) => <Subject delivery={delivery} /> },
  {
    title: "State",
    cell: ({ status, error }) => (
      <>
        <Badge kind={states[status].kind}>{states[status].text}</Badge>
        {error !== null && (
          <>
            {" "}
            {status === "pending" && "again: "}
            {error}
          </>
        )}
      </>
    ),
  },
  { title: "Answer", isNumber: true, cell: ({ response_status: code }) => code ?? "–" },
  {
    title: "Took",
    isNumber: true,
    cell: ({ duration_ms: ms }) => (ms === null ? "–" : `${ms.toLocaleString("en")} ms`),
  },
  { title: "Attempts", isNumber: true, cell: ({ attempts }) => attempts },
  { title: "Created", cell: ({ created_at: at }) => <Time at={at} /> },
  { title: "Next attempt", cell: ({ next_attempt_at: at }) => (at === null ? "–" : <Time at={at} />) },
];
