import type { Explanation } from "@kcs/sdk";
import styles from "./timings.module.css";

type Timings = Explanation["timings_ms"];

const steps: readonly { readonly key: Exclude<keyof Timings, "total">; readonly label: string }[] = [
  { key: "embed", label: "Embedding the question" },
  { key: "index", label: "Opening the index" },
  { key: "search", label: "Both retrievers" },
  { key: "graph", label: "Graph" },
  { key: "chunks", label: "Reading the passages" },
  { key: "reading", label: "Reading the best passage" },
  { key: "answer_graph", label: "Entities and relationships" },
  { key: "summary", label: "Summary" },
];

/** The duration of each step in milliseconds. Each bar shows its share of the total. */
export function Timings({ timings }: { readonly timings: Timings }) {
  return (
    <ul className={styles.steps}>
      {steps.map(({ key, label }) => (
        <li key={key} className={styles.step}>
          <span>{label}</span>
          <svg className={styles.track} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
            <rect width={shareOf(timings[key], timings.total)} height="6" className={styles.bar} />
          </svg>
          <span className={styles.value}>{inMs(timings[key])}</span>
        </li>
      ))}
      <li className={styles.step}>
        <strong>Total in the service</strong>
        <span />
        <strong className={styles.value}>{inMs(timings.total)}</strong>
      </li>
    </ul>
  );
}

function shareOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.min(100, (100 * part) / total);
}

function inMs(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}
