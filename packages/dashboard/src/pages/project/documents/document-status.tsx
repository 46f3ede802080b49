import type { DocumentList } from "@kcs/sdk";
import { Badge, type BadgeKind } from "../../../components/badge.tsx";

type Status = DocumentList["documents"][number]["status"];

const badges = {
  indexed: { kind: "good", text: "indexed" },
  replacing: { kind: "accent", text: "being replaced" },
  pending: { kind: "plain", text: "waiting" },
  running: { kind: "accent", text: "processing" },
  failed: { kind: "bad", text: "failed" },
} as const satisfies Record<Status, { readonly kind: BadgeKind; readonly text: string }>;

export function DocumentStatus({
  document: { status, error_message: fault },
}: {
  readonly document: { readonly status: Status; readonly error_message: string | null };
}) {
  const { kind, text } = badges[status];
  return (
    <>
      <Badge kind={kind}>{text}</Badge>
      {fault !== null && <> {fault}</>}
    </>
  );
}
