import type { EvidencedRelationship } from "@kcs/sdk";
import { Button } from "../../../components/button.tsx";
import { EvidenceItem } from "./evidence-item.tsx";
import styles from "./relationship-item.module.css";

/** A relationship with a collapsible list of the sentences that state it. */
export function RelationshipItem({
  projectId,
  relationship,
  entityId,
  onChoose,
}: {
  readonly projectId: string;
  readonly relationship: EvidencedRelationship;
  /** The entity whose page shows the relationship; null outside of an entity. */
  readonly entityId: string | null;
  readonly onChoose: (entityId: string) => void;
}) {
  const { source, target, type, evidence } = relationship;
  const other = source.entity_id === entityId ? target : source;
  return (
    <EvidenceItem
      projectId={projectId}
      title={
        <>
          {source.name} <code className={styles.type}>{type}</code> {target.name}
        </>
      }
      evidence={evidence}
      isExpanded={entityId === null}
      note={noteOf(relationship)}
    >
      {entityId !== null && (
        <Button size="small" variant="quiet" onPress={() => onChoose(other.entity_id)}>
          Go to {other.name}
        </Button>
      )}
    </EvidenceItem>
  );
}

function noteOf({ valid_from: from, valid_to: to, confidence }: EvidencedRelationship): string {
  return [
    from === null ? "" : `from ${from}`,
    to === null ? "" : `to ${to}`,
    confidence === null ? "" : `${Math.round(confidence * 100)} % sure`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
