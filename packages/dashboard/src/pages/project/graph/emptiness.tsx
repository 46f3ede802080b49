/** Why nothing is drawn, and what to do. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { correctionCountsQuery } from "../../../api/corrections.ts";
import { proposalCountQuery, proposalWords } from "../../../api/graph.ts";
import { projectQuery, projectStatsQuery } from "../../../api/projects.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { chosenOntology } from "../../../components/project-kind.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import styles from "./emptiness.module.css";
import type { GraphAddress } from "./graph-address.ts";
import { NoPath } from "./no-path.tsx";
import type { Scene } from "./scene.ts";
import type { ReadScene } from "./use-scene.ts";

export function Emptiness({
  projectId,
  read,
  scene,
  address,
  onShowAll,
}: {
  readonly projectId: string;
  readonly read: ReadScene;
  readonly scene: Scene | null;
  readonly address: GraphAddress;
  readonly onShowAll: () => void;
}) {
  if (scene === null) {
    if (read.error === null) return <Skeleton lines={4} />;
    return (
      <div className={styles.empty}>
        <EmptyState title="Nothing to draw">Choose another entity, or go back to all of them.</EmptyState>
      </div>
    );
  }
  if (scene.nodes.length > 0) return null;
  const { entity = "", to = "" } = address;
  return (
    <div className={styles.empty}>
      {scene.kind === "path" ? (
        <EmptyState title="No path">
          <NoPath projectId={projectId} ends={{ from: entity, to }} />
        </EmptyState>
      ) : (read.scene?.nodes.length ?? 0) > 0 ? (
        <EmptyState title="Everything is hidden" action={<Button onPress={onShowAll}>Show all types</Button>}>
          The filter leaves no entity to draw.
        </EmptyState>
      ) : address.document !== undefined ? (
        <EmptyState title="Nothing to draw">The document names no entity.</EmptyState>
      ) : address.asOf !== undefined ? (
        <EmptyState title="Nothing to draw">No relationship holds as of {address.asOf}.</EmptyState>
      ) : (
        <NoRelationship projectId={projectId} />
      )}
    </div>
  );
}

function NoRelationship({ projectId }: { readonly projectId: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { data: stats } = useQuery(projectStatsQuery(projectId));
  const { data: proposed = 0 } = useQuery(proposalCountQuery(projectId));
  const { data: corrections } = useQuery(correctionCountsQuery(projectId));
  const ontology = chosenOntology(project);
  const entities = stats?.entities_by_type.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <EmptyState
      title="No relationship to draw yet"
      action={
        <ul className={styles.ways}>
          {proposed > 0 && (
            <li>
              <Link from="/projects/$projectId/graph" to="." search={{ view: "proposed" }}>
                {proposed === 1
                  ? "1 proposed relationship waits"
                  : `${proposalWords(proposed)} proposed relationships wait`}
              </Link>
            </li>
          )}
          {(corrections?.all ?? 0) > 0 && (
            <li>
              <Link to="/projects/$projectId/corrections" params={{ projectId }}>
                Corrections
              </Link>
            </li>
          )}
          {ontology !== null && entities > 0 && (
            <li>
              <Link to="/projects/$projectId/settings" params={{ projectId }}>
                Change the ontology
              </Link>
            </li>
          )}
        </ul>
      }
    >
      {entities === 0 ? (
        <>
          Relationships are extracted from documents.{" "}
          <Link to="/projects/$projectId/ingest" params={{ projectId }}>
            Add some
          </Link>
          .
        </>
      ) : ontology === null ? (
        <>
          {haveNone(entities, "no relationship")}. An ontology tells what to look for in the texts:{" "}
          <Link to="/ontologies/suggest" search={{ project: projectId }}>
            suggest one from this project’s documents
          </Link>
          . What an entity is mentioned together with is drawn when you choose it.
        </>
      ) : (
        <>
          The project’s ontology, <bdi>“{ontology}”</bdi>, decides which relationships are read. None of its
          relationships was found in the documents: {haveNone(entities)}. What an entity is mentioned together
          with is drawn when you choose it.
        </>
      )}
    </EmptyState>
  );
}

function haveNone(entities: number, none = "none"): string {
  return `${counted(entities, "entity", "entities")} ${entities === 1 ? "has" : "have"} ${none}`;
}
