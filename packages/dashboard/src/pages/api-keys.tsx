import { useQuery } from "@tanstack/react-query";
import { Ban, Plus } from "lucide-react";
import { useState } from "react";
import { type ApiKey, keysQuery } from "../api/keys.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Day, Time } from "../components/time.tsx";
import { CreateKeyDialog } from "./api-keys/create-key-dialog.tsx";
import { RevokeKeyDialog } from "./api-keys/revoke-key-dialog.tsx";

export function ApiKeysPage() {
  const { data: keys, error } = useQuery(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const create = (
    <Button variant="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden size={16} /> Create a key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="Programs send a key with every request. A key gives full access to your projects, but cannot manage keys."
      >
        {create}
      </PageHeader>
      {error !== null ? (
        <PageFault error={error} />
      ) : keys === undefined ? (
        <PageSkeleton />
      ) : keys.length === 0 ? (
        <EmptyState title="No key yet" action={create}>
          Create one for each program, so that you can revoke it without affecting the others.
        </EmptyState>
      ) : (
        <Table label="API keys" columns={columns(setRevoked)} rows={keys} keyOf={({ id }) => id} />
      )}
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {revoked !== null && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

function columns(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    { title: "Name", cell: ({ name }) => <strong>{name ?? "Without a name"}</strong> },
    { title: "Begins with", cell: ({ start }) => <code>{start}…</code> },
    { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Last used",
      cell: ({ lastRequest }) => (lastRequest === null ? "never" : <Time at={lastRequest} />),
    },
    { title: "Expires", cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
    {
      title: "Actions",
      isAction: true,
      cell: (key) => (
        <Button size="small" variant="danger" onPress={() => onRevoke(key)}>
          <Ban aria-hidden size={14} /> Revoke<span className="visually-hidden"> {key.name}</span>
        </Button>
      ),
    },
  ];
}

function Expiry({ at }: { readonly at: string | null }) {
  if (at === null) return "never";
  return Date.parse(at) <= Date.now() ? <Badge kind="bad">expired</Badge> : <Day at={at} />;
}
