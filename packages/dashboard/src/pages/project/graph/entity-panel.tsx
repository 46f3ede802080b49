import { useQuery } from "@tanstack/react-query";
import { associationsQuery, entityQuery, relationshipsQuery } from "../../../api/graph.ts";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { AssociationList } from "./association-list.tsx";
import styles from "./entity-panel.module.css";
import { EvidenceList } from "./evidence-list.tsx";
import { RelationshipItem } from "./relationship-item.tsx";

/** The properties, relationships, associations and evidence of an entity. */
export function EntityPanel({
  projectId,
  entityId,
  onExpand,
  onChoose,
}: {
  readonly projectId: string;
  readonly entityId: string;
  readonly onExpand: (entityId: string) => void;
  readonly onChoose: (entityId: string) => void;
}) {
  const { data: entity, error } = useQuery(entityQuery(projectId, entityId));
  const { data: related } = useQuery(relationshipsQuery(projectId, entityId));
  const { data: associated } = useQuery(associationsQuery(projectId, entityId));
  if (error !== null) return <Notice kind="bad">{error.message}</Notice>;
  if (entity === undefined) return <Skeleton lines={6} />;
  const properties = Object.entries(entity.properties);
  return (
    <div className={styles.panel}>
      <div>
        <h2>{entity.name}</h2>
        <p className={styles.meta}>
          <Badge kind="accent">{entity.type}</Badge>
          <span>
            {entity.chunks} {entity.chunks === 1 ? "chunk" : "chunks"}
          </span>
        </p>
      </div>
      {entity.aliases.length > 0 && <p className={styles.aliases}>Also {entity.aliases.join(", ")}</p>}
      <Button size="small" onPress={() => onExpand(entityId)}>
        Draw its neighbourhood
      </Button>
      {properties.length > 0 && (
        <dl className={styles.properties}>
          {properties.map(([name, values]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{values.join("; ")}</dd>
            </div>
          ))}
        </dl>
      )}
      {related !== undefined && related.relationships.length > 0 && (
        <section>
          <h3>Relationships</h3>
          <ul className={styles.relationships}>
            {related.relationships.map((relationship) => (
              <RelationshipItem
                key={relationship.relationship_id}
                projectId={projectId}
                relationship={relationship}
                entityId={entityId}
                onChoose={onChoose}
              />
            ))}
          </ul>
        </section>
      )}
      {associated !== undefined && associated.associations.length > 0 && (
        <section>
          <h3>Associated with</h3>
          <AssociationList projectId={projectId} associations={associated.associations} onChoose={onChoose} />
        </section>
      )}
      <section>
        <h3>Mentions</h3>
        <EvidenceList projectId={projectId} items={entity.evidence} />
      </section>
    </div>
  );
}
