import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../../../api/fault.ts";
import { entityQuery, pathQuery, relationshipsQuery } from "../../../api/graph.ts";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { AddRelationship } from "../entity/add-relationship.tsx";
import { JudgeRelationship } from "../entity/judge-relationship.tsx";
import { EntityFinder } from "./entity-finder.tsx";
import styles from "./entity-panel.module.css";
import { PanelFrame } from "./entity-panel.tsx";
import { EntityName, NoPath, type PathEnds } from "./no-path.tsx";
import { Sentences, WholeRelationship } from "./relationship-groups.tsx";
import { type SceneEdge, walk } from "./scene.ts";

/** All that joins two entities: their relationships, or what mentions them together. */
export function LinePanel({
  projectId,
  line: { source, target },
  onClose,
}: {
  readonly projectId: string;
  readonly line: Pick<SceneEdge, "source" | "target">;
  readonly onClose: () => void;
}) {
  const { data, error } = useQuery(relationshipsQuery(projectId, source));
  const between = data?.relationships.filter((each) =>
    [each.source, each.target].some(({ entity_id: id }) => id === target),
  );
  const isRelated = between?.length !== 0;
  const entity = useQuery({ ...entityQuery(projectId, source), enabled: !isRelated });
  const fault = error ?? entity.error;
  if (fault !== null) return <Notice kind="bad">{messageOf(fault)}</Notice>;
  if (between === undefined || (!isRelated && entity.data === undefined)) return <Skeleton lines={4} />;
  const found = entity.data?.associations?.find((each) => each.entity.entity_id === target);
  if (!isRelated && found !== undefined) {
    return (
      <PanelFrame title="Mentioned together" onClose={onClose}>
        <p>
          <bdi>{entity.data?.name}</bdi> and <bdi>{found.entity.name}</bdi>. The graph has no relationship
          between them.
        </p>
        <Sentences projectId={projectId} items={found.evidence} />
        {entity.data !== undefined && (
          <p>
            <AddRelationship projectId={projectId} entity={entity.data} other={found.entity} />
          </p>
        )}
      </PanelFrame>
    );
  }
  return (
    <PanelFrame title={between.length === 1 ? "Relationship" : "Relationships"} onClose={onClose}>
      {between.length === 0 && <p>Choose one of its ends to see the relationship there.</p>}
      <ul className={styles.steps}>
        {between.map((relationship) => (
          <WholeRelationship
            key={relationship.relationship_id}
            projectId={projectId}
            place="graph"
            relationship={relationship}
            toolsOf={(each) => <JudgeRelationship projectId={projectId} relationship={each} />}
          />
        ))}
      </ul>
    </PanelFrame>
  );
}

/** The steps of a path with their sentences, and a search for another one. */
export function PathPanel({
  projectId,
  ends,
  onPath,
  onClose,
}: {
  readonly projectId: string;
  readonly ends: PathEnds;
  readonly onPath: (entityId: string) => void;
  readonly onClose: () => void;
}) {
  const { data, error } = useQuery(pathQuery(projectId, ends));
  if (error !== null) return <Notice kind="bad">{error.message}</Notice>;
  if (data === undefined) return <Skeleton lines={4} />;
  return (
    <PanelFrame title="Path" onClose={onClose}>
      <p>
        {data.relationships.length === 0 ? (
          <NoPath projectId={projectId} ends={ends} />
        ) : (
          <>
            From <EntityName projectId={projectId} id={ends.from} /> to{" "}
            <EntityName projectId={projectId} id={ends.to} />
          </>
        )}
      </p>
      <EntityFinder
        projectId={projectId}
        label="Find a path to another entity …"
        without={ends.from}
        onChoose={onPath}
      />
      <ol className={styles.steps}>
        {walk(ends.from, data.relationships).map(({ relationship, first }) => (
          <WholeRelationship
            key={relationship.relationship_id}
            projectId={projectId}
            place="graph"
            relationship={relationship}
            first={first}
          />
        ))}
      </ol>
    </PanelFrame>
  );
}
