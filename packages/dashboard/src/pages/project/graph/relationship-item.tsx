import type { EvidencedRelationship } from "@kcs/sdk";
import { ChevronRight } from "lucide-react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { Button as TextButton } from "../../../components/button.tsx";
import { EvidenceList } from "./evidence-list.tsx";
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
    <li>
      <Disclosure defaultExpanded={entityId === null} className={styles.item ?? ""}>
        <Heading className={styles.head ?? ""}>
          <Button slot="trigger" className={styles.trigger ?? ""}>
            <ChevronRight aria-hidden size={14} className={styles.mark} />
            <span>
              {source.name} <code className={styles.type}>{type}</code> {target.name}
            </span>
          </Button>
        </Heading>
        <DisclosurePanel>
          <div className={styles.body}>
            {validityOf(relationship) !== "" && <p className={styles.time}>{validityOf(relationship)}</p>}
            <EvidenceList projectId={projectId} items={evidence} />
            {entityId !== null && (
              <TextButton size="small" variant="quiet" onPress={() => onChoose(other.entity_id)}>
                Go to {other.name}
              </TextButton>
            )}
          </div>
        </DisclosurePanel>
      </Disclosure>
    </li>
  );
}

function validityOf({ valid_from: from, valid_to: to }: EvidencedRelationship): string {
  if (from === null && to === null) return "";
  return `${from === null ? "" : `from ${from} `}${to === null ? "" : `to ${to}`}`.trim();
}
