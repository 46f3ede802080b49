import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PinOff } from "lucide-react";
import type { ReactNode } from "react";
import { projectQuery } from "../../../api/projects.ts";
import { Button } from "../../../components/button.tsx";
import { chosenOntology } from "../../../components/project-kind.tsx";
import { drawnWords } from "./drawn-words.ts";
import { expansionWords } from "./expansion-words.ts";
import { sizes } from "./graph-address.ts";
import styles from "./graph-count.module.css";
import { isPoor } from "./poor-graph.ts";
import type { HiddenTypes, Scene } from "./scene.ts";
import type { GraphSteps } from "./use-graph-steps.ts";
import { counted, type ReadScene } from "./use-scene.ts";

/** Above the map: what is drawn, of how much and why, and at the end what can be done with it. */
export function GraphCount({ children, ...drawn }: Drawn & { readonly children: ReactNode }) {
  return (
    <div className={styles.head}>
      <DrawnCount {...drawn} />
      <div className={styles.tools}>{children}</div>
    </div>
  );
}

interface Drawn {
  readonly projectId: string;
  readonly steps: GraphSteps;
  readonly read: ReadScene;
  readonly shown: Scene | null;
  readonly hidden: HiddenTypes;
  readonly isMoving: boolean;
  /** Number of entities that stay where they were dragged to. */
  readonly pins: number;
  readonly onUnpin: () => void;
}

/** Draws more on a click. */
function DrawnCount({
  projectId,
  steps: { address, adjust },
  read,
  shown,
  hidden,
  isMoving,
  pins,
  onUnpin,
}: Drawn) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  if (shown === null || read.scene === null || read.scene.nodes.length === 0) return null;
  const { size = sizes[0] } = address;
  const larger = sizes.find((each) => each > size);
  const hasMore = read.total !== null && read.scene.nodes.length < read.total && larger !== undefined;
  return (
    <div className={styles.count}>
      <p role="status">
        {isMoving && shown.kind === "overview" ? "Arranging … " : ""}
        {drawnWords(read, shown)}
      </p>
      {read.alone > 0 && (
        <Link from="/projects/$projectId/graph" to="." search={{ view: "list", alone: true }}>
          {counted(read.alone)} without relationships
        </Link>
      )}
      <Link to="/projects/$projectId/corrections" from="/projects/$projectId/graph">
        Corrections
      </Link>
      {hasMore && (
        <Button size="small" isPending={read.isReading} onPress={() => adjust({ ...address, size: larger })}>
          Draw {counted(Math.min(larger, read.total ?? larger))}
        </Button>
      )}
      {pins > 0 && (
        <Button size="small" variant="quiet" onPress={onUnpin}>
          <PinOff aria-hidden size={14} /> Let {counted(pins)} pinned go
        </Button>
      )}
      {isPoor(read) && chosenOntology(project) === null && (
        <p className={styles.advice}>
          Few entities have relationships. An ontology tells what to look for:{" "}
          <Link to="/ontologies/suggest" search={{ project: projectId }}>
            suggest one from this project’s documents
          </Link>
        </p>
      )}
      <p role="status" className={styles.advice}>
        {expansionWords(read.expanded, hidden)}
      </p>
    </div>
  );
}
