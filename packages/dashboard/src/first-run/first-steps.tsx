import type { ProjectStats } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, Circle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAskedQuestions } from "../api/asked-questions.ts";
import { keysQuery } from "../api/keys.ts";
import { ButtonLink } from "../components/button-link.tsx";
import { Folded } from "../components/folded.tsx";
import { JobState } from "../jobs/job-state.tsx";
import { useJobProgress } from "../jobs/use-job-progress.ts";
import { readAskSearch } from "../pages/project/ask/ask-address.ts";
import styles from "./first-steps.module.css";
import { sampleText } from "./sample-text.ts";

interface StepsProps {
  readonly projectId: string;
  readonly stats: ProjectStats;
  /** Whether the project contains the sample text, whose question is then suggested. */
  readonly isSample: boolean;
}

/** The progress of a new project through its first steps, with the next step to take. */
export function FirstSteps(props: StepsProps) {
  return (
    <section aria-labelledby="first-steps" className={styles.card}>
      <h2 id="first-steps">First steps</h2>
      <Steps {...props} />
    </section>
  );
}

/** The same behind a line, once a project has gone further. */
export function FoldedFirstSteps(props: StepsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Folded title="First steps" onToggle={setOpen}>
      {isOpen && <Steps {...props} />}
    </Folded>
  );
}

/** Each with its link, also when it is done. */
function Steps({ projectId, stats, isSample }: StepsProps) {
  const live = useJobProgress(projectId);
  const isReady = stats.chunks > 0;
  const current = [...live.values()].at(-1);
  const isBusy = stats.jobs.pending + stats.jobs.running > 0;
  const hasAsked = useAskedQuestions(projectId, readAskSearch).length > 0;
  const { data: keys } = useQuery(keysQuery);
  const hasProgram = keys?.some(({ lastRequest }) => lastRequest !== null) ?? false;
  const params = { projectId };
  return (
    <ol className={styles.steps}>
      <Step isDone title="Create a project" />
      <Step isDone={isReady} title="Add texts to it">
        {isReady ? (
          <Link to="/projects/$projectId/ingest" params={params}>
            Add more
          </Link>
        ) : isBusy && current !== undefined ? (
          <JobState job={current} />
        ) : isBusy ? (
          <p role="status">The text is being processed. This takes a few seconds.</p>
        ) : (
          <ButtonLink to="/projects/$projectId/ingest" params={params} variant="primary">
            Add texts
          </ButtonLink>
        )}
      </Step>
      <Step isDone={hasAsked} title="Ask a question">
        {isReady && (
          <ButtonLink
            to="/projects/$projectId/ask"
            params={params}
            search={isSample ? { question: sampleText.question } : {}}
            variant="primary"
          >
            {isSample ? `“${sampleText.question}”` : "Ask in your own words"}
          </ButtonLink>
        )}
      </Step>
      <Step isDone={hasProgram} title="Connect a program">
        <Link to="/api-keys">{hasProgram ? "API keys" : "Create an API key"}</Link>
      </Step>
    </ol>
  );
}

function Step({
  isDone,
  title,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <li className={isDone ? styles.done : styles.open}>
      {isDone ? <Check aria-hidden size={18} /> : <Circle aria-hidden size={18} />}
      <div>
        <h3>
          {title}
          {isDone && <span className="visually-hidden">, done</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}
