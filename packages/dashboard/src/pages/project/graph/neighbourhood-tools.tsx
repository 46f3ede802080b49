import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import styles from "./graph-bar.module.css";
import type { Scene } from "./scene.ts";
import type { GraphSteps } from "./use-graph-steps.ts";

/** How far the neighbourhood reaches. */
export function NeighbourhoodTools({
  steps: { address, go },
}: {
  readonly steps: GraphSteps;
  readonly scene: Scene | null;
}) {
  const { depth, ...others } = address;
  return (
    <ToggleButtonGroup
      aria-label="Steps from the entity"
      className={styles.views ?? ""}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[String(depth ?? 1)]}
      onSelectionChange={(keys) => go(keys.has("2") ? { ...others, depth: 2 } : others)}
    >
      <ToggleButton id="1" className={styles.view ?? ""}>
        1 step
      </ToggleButton>
      <ToggleButton id="2" className={styles.view ?? ""}>
        2 steps
      </ToggleButton>
    </ToggleButtonGroup>
  );
}
