import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { entitiesQuery, entityQuery } from "../../api/graph.ts";
import { nameForAddress } from "../../api/renamed-entity.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { CopyLink } from "./graph/copy-link.tsx";
import type { Drawing } from "./graph/drawing.ts";
import { drawnWords } from "./graph/drawn-words.ts";
import { Emptiness } from "./graph/emptiness.tsx";
import { EntityList } from "./graph/entity-list.tsx";
import { EntityPanel } from "./graph/entity-panel.tsx";
import { calledIn, type GraphView, withAllTypes } from "./graph/graph-address.ts";
import { GraphBar } from "./graph/graph-bar.tsx";
import { GraphCanvas } from "./graph/graph-canvas.tsx";
import { GraphCount } from "./graph/graph-count.tsx";
import { GraphLegend } from "./graph/graph-legend.tsx";
import { LinePanel, PathPanel } from "./graph/line-panel.tsx";
import { NeighbourhoodTools } from "./graph/neighbourhood-tools.tsx";
import { ProposalTable } from "./graph/proposal-table.tsx";
import { SaveMenu } from "./graph/save-menu.tsx";
import { filterScene, type HiddenTypes, type Scene, type SceneEdge } from "./graph/scene.ts";
import { ScreenButton } from "./graph/screen-button.tsx";
import { useFreshGraph } from "./graph/use-fresh-graph.ts";
import { type GraphSteps, useEscape, useGraphSteps } from "./graph/use-graph-steps.ts";
import { useNarrow } from "./graph/use-narrow.ts";
import { usePins } from "./graph/use-pins.ts";
import { usePositions } from "./graph/use-positions.ts";
import { useScene } from "./graph/use-scene.ts";
import styles from "./graph.module.css";

/** Entities and relationships as a drawing to walk through, and as lists. */
export function GraphPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const steps = useGraphSteps();
  const isNarrow = useNarrow();
  const missing = useNamedEntity(projectId, steps);
  useNameInAddress(projectId, steps);
  const { address } = steps;
  const view = isNarrow && address.view !== "proposed" ? "list" : (address.view ?? "map");
  return (
    <>
      {missing !== null && (
        <div className={styles.missing}>
          <Notice>
            <bdi>“{missing}”</bdi> is no longer in the graph.
          </Notice>
        </div>
      )}
      {view === "map" ? (
        <GraphMap projectId={projectId} steps={steps} />
      ) : (
        <GraphLists projectId={projectId} steps={steps} view={view} isNarrow={isNarrow} />
      )}
    </>
  );
}

function GraphMap({ projectId, steps }: { readonly projectId: string; readonly steps: GraphSteps }) {
  const { address, adjust, choose, chooseLine, toggle, back } = steps;
  const read = useScene(projectId, address);
  const { pins, pin, letGo } = usePins(steps);
  const drawing = useRef<Drawing | null>(null);
  const hidden = useHidden(address);
  const scene = useFiltered(read.scene, hidden);
  const { positions, isMoving } = usePositions(read.scene, pins);
  const edge = scene?.edges.find((each) => isLine(each, address.line));
  const [isAlone, setAlone] = useState(false);
  useEscape(() => {
    if (isAlone) setAlone(false);
    else if (address.entity !== undefined || address.line !== undefined) back();
  });
  const isHeld = address.entity !== undefined || address.line !== undefined || pins.size > 0;
  const showChange = useFreshGraph(projectId, isHeld);
  if (read.error !== null && address.entity === undefined) return <PageFault error={read.error} />;
  const { entity } = address;
  return (
    <div className={styles.map} data-fills={isAlone ? "screen" : "window"}>
      <GraphBar projectId={projectId} steps={steps} choice={read.choice} isMap />
      {showChange !== null && (
        <Notice>
          The graph has changed.{" "}
          <Button size="small" onPress={showChange}>
            Show it
          </Button>
        </Notice>
      )}
      <div className={styles.frame}>
        <div className={styles.picture}>
          <GraphCount
            projectId={projectId}
            steps={steps}
            read={read}
            shown={scene}
            hidden={hidden}
            isMoving={isMoving}
            pins={pins.size}
            onUnpin={letGo}
          >
            <CopyLink />
            <SaveMenu
              projectId={projectId}
              scene={scene}
              note={[address.document ?? [], scene === null ? [] : drawnWords(read, scene)]
                .flat()
                .join(" · ")}
              drawing={drawing}
            />
            <ScreenButton isAlone={isAlone} onChange={setAlone} />
          </GraphCount>
          <div className={styles.drawing}>
            {scene !== null && positions !== null && scene.nodes.length > 0 && (
              <GraphCanvas
                scene={scene}
                subject={read.scene}
                positions={positions}
                chosenEdge={edge?.id ?? null}
                drawing={drawing}
                onNode={(id, isMore) => (isMore && entity !== undefined ? toggle(id) : choose(id))}
                isMoving={isMoving}
                onEdge={chooseLine}
                onStage={() => address.line !== undefined && back()}
                onPin={pin}
              />
            )}
            <Emptiness
              projectId={projectId}
              read={read}
              scene={scene}
              address={address}
              onShowAll={() => adjust(withAllTypes(address))}
            />
          </div>
          {scene !== null && scene.nodes.length > 0 && <GraphLegend scene={scene} />}
        </div>
        <ChosenPanel projectId={projectId} steps={steps} scene={scene} edge={edge} hidden={hidden} />
      </div>
    </div>
  );
}

/** Beside the map: what the address has chosen. */
function ChosenPanel({
  projectId,
  steps,
  scene,
  edge,
  hidden,
}: {
  readonly projectId: string;
  readonly steps: GraphSteps;
  readonly scene: Scene | null;
  readonly edge: SceneEdge | undefined;
  readonly hidden: HiddenTypes;
}) {
  const { address, toggle, back, findPath } = steps;
  const { entity, to } = address;
  if (edge === undefined && entity === undefined) return null;
  return (
    <aside className={styles.panel} aria-label="Selection">
      {edge !== undefined ? (
        <LinePanel projectId={projectId} line={edge} onClose={back} />
      ) : entity !== undefined && to !== undefined ? (
        <PathPanel projectId={projectId} ends={{ from: entity, to }} onPath={findPath} onClose={back} />
      ) : (
        entity !== undefined && (
          <EntityPanel
            projectId={projectId}
            entityId={entity}
            called={calledIn(address)}
            asOf={address.asOf}
            hidden={hidden}
            expansion={{ opened: address.open ?? [], toggle }}
            onPath={findPath}
            onClose={back}
          >
            <NeighbourhoodTools steps={steps} scene={scene} />
          </EntityPanel>
        )
      )}
    </aside>
  );
}

/** The list of entities or of proposals; on a phone also what the chosen entity is related to. */
function GraphLists({
  projectId,
  steps,
  view,
  isNarrow,
}: {
  readonly projectId: string;
  readonly steps: GraphSteps;
  readonly view: GraphView;
  readonly isNarrow: boolean;
}) {
  const { address, adjust, back } = steps;
  const { entity, line } = address;
  useFreshGraph(projectId, false);
  // A wide screen has it beside the map.
  const isChosen = isNarrow && (entity !== undefined || line !== undefined);
  useEscape(() => (entity !== undefined || isChosen) && back());
  return (
    <div className={styles.page}>
      <GraphBar projectId={projectId} steps={steps} choice={null} isMap={false} />
      {entity === undefined && !isChosen && (
        <p className={styles.narrow}>
          <Link to="/projects/$projectId/corrections" params={{ projectId }}>
            Corrections
          </Link>
        </p>
      )}
      {isNarrow && !isChosen && view === "list" && (
        <p className={styles.narrow}>
          On a narrow screen the graph is a list. The map is drawn on a wider one.
        </p>
      )}
      {view === "proposed" ? (
        <ProposalTable projectId={projectId} />
      ) : isChosen ? (
        <Selection projectId={projectId} steps={steps} />
      ) : (
        <EntityList
          projectId={projectId}
          address={address}
          onChange={(listing) =>
            adjust({ ...listing, ...(address.view === undefined ? {} : { view: address.view }) })
          }
        />
      )}
    </div>
  );
}

/** On a phone: what the address has chosen, a line before the entity where it was chosen. */
function Selection({ projectId, steps }: { readonly projectId: string; readonly steps: GraphSteps }) {
  const { address, back, findPath } = steps;
  const { entity = "", to, line = "" } = address;
  const hidden = useHidden(address);
  const [source, target] = line.split(" ");
  return (
    <section aria-label="Selection">
      {source !== undefined && target !== undefined ? (
        <LinePanel projectId={projectId} line={{ source, target }} onClose={back} />
      ) : to === undefined ? (
        <EntityPanel
          projectId={projectId}
          entityId={entity}
          called={calledIn(address)}
          asOf={address.asOf}
          hidden={hidden}
          onPath={findPath}
          onClose={back}
        />
      ) : (
        <PathPanel projectId={projectId} ends={{ from: entity, to }} onPath={findPath} onClose={back} />
      )}
    </section>
  );
}

/** Which of the two ends comes first depends on what is drawn. */
function isLine({ source, target }: Pick<SceneEdge, "source" | "target">, line: string | undefined): boolean {
  return line === `${source} ${target}` || line === `${target} ${source}`;
}

function useFiltered(scene: Scene | null, hidden: HiddenTypes): Scene | null {
  return useMemo(() => (scene === null ? null : filterScene(scene, hidden)), [scene, hidden]);
}

function useHidden({ without, withoutLinks }: GraphSteps["address"]): HiddenTypes {
  return useMemo(
    () => ({ types: new Set(without ?? []), links: new Set(withoutLinks ?? []) }),
    [without, withoutLinks],
  );
}

/** The address has the name and type of the chosen entity. */
function useNameInAddress(projectId: string, { address, adjust }: GraphSteps): void {
  const { entity, called, calledType, asOf } = address;
  const { data } = useQuery({
    ...entityQuery(projectId, entity ?? "", asOf),
    enabled: entity !== undefined,
  });
  const named = data === undefined ? null : nameForAddress(data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each name.
  useEffect(() => {
    if (named !== null && (named.name !== called || named.type !== calledType))
      adjust({ ...address, called: named.name, calledType: named.type });
  }, [data?.entity_id, named?.name, named?.type, called, calledType]);
}

/** Other pages know the name of an entity, but not its id. The name, where the graph has no such entity any more. */
function useNamedEntity(projectId: string, { address: { find }, adjust }: GraphSteps): string | null {
  const { data, isPlaceholderData } = useQuery({
    ...entitiesQuery(projectId, { find: find ?? "", type: null, from: 0 }),
    enabled: find !== undefined,
  });
  const found = data?.entities.find(({ name }) => name === find) ?? data?.entities[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each name that is found.
  useEffect(() => {
    if (find !== undefined && found !== undefined) adjust({ entity: found.entity_id });
  }, [find, found?.entity_id]);
  return find !== undefined && data !== undefined && !isPlaceholderData && found === undefined ? find : null;
}
