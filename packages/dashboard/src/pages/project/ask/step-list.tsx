import type { QueryStep } from "@kcs/sdk";
import { Link } from "@tanstack/react-router";
import styles from "./step-list.module.css";

const maxSentenceLength = 140;

/** The searches that led to an answer, a line for each. Nothing if there was one only. */
export function StepList({
  projectId,
  steps,
}: {
  readonly projectId: string;
  readonly steps: readonly QueryStep[];
}) {
  if (steps.length < 2) return null;
  return (
    <>
      <h3 className={styles.title} id="steps">
        Steps
      </h3>
      <ol className={styles.steps} aria-labelledby="steps">
        {steps.map((step) => (
          <li key={step.query}>
            <Search projectId={projectId} step={step} />
            <span className={styles.found}> – {passageCount(step.chunk_ids.length)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** What was searched for: the question or a part of it, or a name and where it was found. */
function Search({ projectId, step }: { readonly projectId: string; readonly step: QueryStep }) {
  const { query, name, from } = step;
  if (name === null || from === null) return <>{query}</>;
  return (
    <>
      <strong>{name}</strong> from “{shortened(from.sentence)}” in{" "}
      <Link
        to="/projects/$projectId/document"
        params={{ projectId }}
        search={{ id: from.source_doc_id, chunk: from.chunk_id }}
      >
        {from.source_doc_id}
      </Link>
    </>
  );
}

function shortened(sentence: string): string {
  const text = sentence.replace(/\s+/g, " ").trim();
  return text.length <= maxSentenceLength ? text : `${text.slice(0, maxSentenceLength).toWellFormed()}…`;
}

function passageCount(count: number): string {
  return count === 0 ? "no passage" : count === 1 ? "1 passage" : `${count} passages`;
}
