import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { JobStatus } from "../../../api/jobs.ts";
import styles from "./state-filter.module.css";

const states = [
  { id: "all", label: "All" },
  { id: "running", label: "Running" },
  { id: "pending", label: "Waiting" },
  { id: "failed", label: "Failed" },
  { id: "completed", label: "Done" },
] as const;

/** Chooses the state of the listed jobs. */
export function StateFilter({
  counts,
  chosen,
  onChange,
}: {
  readonly counts: Readonly<Record<JobStatus | "all", number>>;
  /** null: all. */
  readonly chosen: JobStatus | null;
  readonly onChange: (chosen: JobStatus | null) => void;
}) {
  return (
    <ToggleButtonGroup
      aria-label="State"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen ?? "all"]}
      onSelectionChange={([key]) => {
        const state = states.find(({ id }) => id === key);
        if (state !== undefined) onChange(state.id === "all" ? null : state.id);
      }}
      className={styles.group ?? ""}
    >
      {states.map(({ id, label }) => (
        <ToggleButton key={id} id={id} className={styles.state ?? ""}>
          {label} <span className={styles.count}>{counts[id].toLocaleString("en")}</span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
