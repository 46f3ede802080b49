import { useQuery } from "@tanstack/react-query";
import { associationsQuery } from "../../../api/graph.ts";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { AssociationList } from "./association-list.tsx";
import styles from "./entity-panel.module.css";

/** The sentences that mention two entities together. */
export function AssociationPanel({
  projectId,
  entityId,
  name,
  otherId,
  onChoose,
}: {
  readonly projectId: string;
  /** The entity that lists the other one. */
  readonly entityId: string;
  readonly name: string;
  readonly otherId: string;
  readonly onChoose: (entityId: string) => void;
}) {
  const { data, error } = useQuery(associationsQuery(projectId, entityId));
  if (error !== null) return <Notice kind="bad">{error.message}</Notice>;
  if (data === undefined) return <Skeleton lines={4} />;
  const associations = data.associations.filter(({ entity }) => entity.entity_id === otherId);
  return (
    <div className={styles.panel}>
      <h2>{name} is associated with</h2>
      <AssociationList projectId={projectId} associations={associations} isExpanded onChoose={onChoose} />
    </div>
  );
}
