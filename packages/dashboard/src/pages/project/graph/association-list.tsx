import type { Association } from "@kcs/sdk";
import { Button } from "../../../components/button.tsx";
import styles from "./association-list.module.css";
import { EvidenceItem } from "./evidence-item.tsx";

/** Entities that are mentioned together with another one, each with a collapsible list of quotes. */
export function AssociationList({
  projectId,
  associations,
  isExpanded = false,
  onChoose,
}: {
  readonly projectId: string;
  readonly associations: readonly Association[];
  readonly isExpanded?: boolean;
  readonly onChoose: (entityId: string) => void;
}) {
  return (
    <>
      <p className={styles.note}>
        Mentioned together or close by. No text states what they have to do with each other.
      </p>
      <ul className={styles.list}>
        {associations.map(({ entity, chunks, evidence }) => (
          <EvidenceItem
            key={entity.entity_id}
            projectId={projectId}
            title={
              <>
                {entity.name}{" "}
                <span className={styles.count}>
                  {chunks} {chunks === 1 ? "chunk" : "chunks"}
                </span>
              </>
            }
            evidence={evidence}
            isExpanded={isExpanded}
          >
            <Button size="small" variant="quiet" onPress={() => onChoose(entity.entity_id)}>
              Go to {entity.name}
            </Button>
          </EvidenceItem>
        ))}
      </ul>
    </>
  );
}
