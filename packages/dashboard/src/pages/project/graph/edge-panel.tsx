import { useQuery } from "@tanstack/react-query";
import { edgeQuery } from "../../../api/graph.ts";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import styles from "./entity-panel.module.css";
import { RelationshipItem } from "./relationship-item.tsx";

/** The sentences that state one relationship. */
export function EdgePanel({
  projectId,
  edgeId,
  sourceId,
  type,
  onChoose,
}: {
  readonly projectId: string;
  readonly edgeId: string;
  readonly sourceId: string;
  readonly type: string;
  readonly onChoose: (entityId: string) => void;
}) {
  const { data, error } = useQuery(edgeQuery(projectId, { sourceId, type }));
  if (error !== null) return <Notice kind="bad">{error.message}</Notice>;
  if (data === undefined) return <Skeleton lines={4} />;
  const relationship = data.relationships.find(({ relationship_id: id }) => id === edgeId);
  if (relationship === undefined)
    return <Notice>Select one of its entities to see the relationship there.</Notice>;
  return (
    <div className={styles.panel}>
      <h2>{relationship.type}</h2>
      <ul className={styles.relationships}>
        <RelationshipItem
          projectId={projectId}
          relationship={relationship}
          entityId={null}
          onChoose={onChoose}
        />
      </ul>
    </div>
  );
}
