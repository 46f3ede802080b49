import type { JobStatus } from "../../../api/job-status.ts";
import { ChoiceChips } from "../../../components/choice-chips.tsx";
import { stateWords } from "../../../jobs/job-state.tsx";

const states = [
  { id: "all", label: "All" },
  { id: "running", label: stateWords.running },
  { id: "pending", label: stateWords.pending },
  { id: "failed", label: "Failed or cancelled" },
  { id: "completed", label: stateWords.completed },
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
    <ChoiceChips
      label="State"
      choices={states.map((state) => ({ ...state, count: counts[state.id] }))}
      chosen={chosen ?? "all"}
      onChange={(state) => onChange(state === "all" ? null : state)}
    />
  );
}
