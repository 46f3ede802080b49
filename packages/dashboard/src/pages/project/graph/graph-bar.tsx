import { useQuery } from "@tanstack/react-query";
import { List, Sparkles, Waypoints } from "lucide-react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { proposalCountQuery, proposalWords } from "../../../api/graph.ts";
import { EntityFinder } from "./entity-finder.tsx";
import { type GraphView, views } from "./graph-address.ts";
import styles from "./graph-bar.module.css";
import { DocumentScope, TimeScope } from "./graph-scope.tsx";
import { SaveMenu } from "./save-menu.tsx";
import { countTypes, linkTypesOf, type Scene } from "./scene.ts";
import { TypeFilter } from "./type-filter.tsx";
import type { GraphSteps } from "./use-graph-steps.ts";

const labels: Readonly<Record<GraphView, string>> = { map: "Map", list: "List", proposed: "Proposed" };
const icons = { map: Waypoints, list: List, proposed: Sparkles } as const;

/** Finds an entity, filters, and switches between the drawing and the lists. */
export function GraphBar({
  projectId,
  steps: { address, adjust, choose, go },
  choice,
  isMap,
}: {
  readonly projectId: string;
  readonly steps: GraphSteps;
  /** What a filter can choose from; null: a list is shown, or nothing is drawn yet. */
  readonly choice: Scene | null;
  readonly isMap: boolean;
}) {
  const { without, withoutLinks, ...others } = address;
  const { data: proposed = 0 } = useQuery(proposalCountQuery(projectId));
  return (
    <div className={styles.bar}>
      {isMap && (
        <div className={styles.finder}>
          <EntityFinder projectId={projectId} label="Find an entity" onChoose={choose} />
        </div>
      )}
      {isMap && (
        <>
          <DocumentScope
            projectId={projectId}
            chosen={address.document ?? null}
            onChange={(document) => {
              // What is drawn of a document is an overview of it.
              const { document: _before, entity, depth, open, to, pins, ...rest } = address;
              go(document === null ? rest : { ...rest, document });
            }}
          />
          <TimeScope
            chosen={address.asOf ?? null}
            onChange={(asOf) => {
              const { asOf: _before, ...rest } = address;
              go(asOf === null ? rest : { ...rest, asOf });
            }}
          />
        </>
      )}
      {choice !== null && (
        <>
          <TypeFilter
            label="Entities"
            types={countTypes(choice.nodes.map(({ type }) => type))}
            hidden={new Set(without)}
            hasMarks
            onChange={(hidden) =>
              adjust({
                ...others,
                ...(withoutLinks === undefined ? {} : { withoutLinks }),
                ...(hidden.length === 0 ? {} : { without: hidden }),
              })
            }
          />
          <TypeFilter
            label="Relationships"
            types={countTypes(linkTypesOf(choice))}
            hidden={new Set(withoutLinks)}
            hasMarks={false}
            onChange={(hidden) =>
              adjust({
                ...others,
                ...(without === undefined ? {} : { without }),
                ...(hidden.length === 0 ? {} : { withoutLinks: hidden }),
              })
            }
          />
        </>
      )}
      <div className={styles.end}>
        {!isMap && <SaveMenu projectId={projectId} scene={null} note="" drawing={null} />}
        <ToggleButtonGroup
          aria-label="View"
          className={styles.views ?? ""}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[isMap ? "map" : address.view === "proposed" ? "proposed" : "list"]}
          onSelectionChange={(keys) => {
            const [view] = views.filter((each) => keys.has(each));
            const { view: _before, ...rest } = address;
            if (view !== undefined) go(view === "map" ? rest : { view });
          }}
        >
          {views.map((view) => {
            const Icon = icons[view];
            return (
              <ToggleButton key={view} id={view} className={`${styles.view} ${styles[view] ?? ""}`}>
                <Icon aria-hidden size={14} /> {labels[view]}
                {view === "proposed" && proposed > 0 && (
                  <>
                    {" "}
                    <span className={styles.count}>{proposalWords(proposed)}</span>
                  </>
                )}
              </ToggleButton>
            );
          })}
        </ToggleButtonGroup>
      </div>
    </div>
  );
}
