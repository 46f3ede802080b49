import type { QueryResult } from "@kcs/sdk";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Section } from "../../../components/section.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import styles from "./answer-view.module.css";
import { AsCode } from "./as-code.tsx";
import { ExplanationView } from "./explanation-view.tsx";
import { PassageList } from "./passage-list.tsx";
import { questionWords } from "./question-words.ts";
import { ShortenedList } from "./shortened-list.tsx";
import { StepList } from "./step-list.tsx";
import { Summary } from "./summary.tsx";
import type { AskedQuestion } from "./use-asked-questions.ts";

/** Number of entities and of relationships shown before "Show all". */
const maxShownFacts = 10;

/** The summary, the passages, the entities and relationships, and the explanation if it was requested. */
export function AnswerView({
  projectId,
  asked,
  isPending = false,
}: {
  readonly projectId: string;
  readonly asked: AskedQuestion;
  /** Whether more of the answer follows. */
  readonly isPending?: boolean;
}) {
  const { answer, question, milliseconds } = asked;
  const { chunks } = answer.results;
  const passages = useRef<HTMLOListElement>(null);
  const show = (place: number) => {
    const passage = passages.current?.children[place];
    if (!(passage instanceof HTMLElement)) return;
    passage.focus({ preventScroll: true });
    passage.scrollIntoView({ block: "center" });
  };
  return (
    <div className={styles.answer}>
      <section aria-labelledby="summary" className={styles.summary}>
        <div className={styles.title}>
          <h2 id="summary">Answer</h2>
          <p className={styles.meta}>
            {answer.strategy_used !== "" && <Badge>{answer.strategy_used}</Badge>}
            <span className={styles.time}>{duration(milliseconds)}</span>
          </p>
        </div>
        <p className={styles.question}>{question.query}</p>
        {isPending && answer.results.summary === "" ? (
          <Skeleton lines={3} />
        ) : (
          <Summary text={answer.results.summary} chunks={chunks} onShow={show} />
        )}
        {answer.steps !== undefined && <StepList projectId={projectId} steps={answer.steps} />}
      </section>
      <div className={styles.columns}>
        <Section title={chunks.length === 0 ? "No passage" : "Passages"}>
          <PassageList
            ref={passages}
            projectId={projectId}
            chunks={chunks}
            words={questionWords(question.query)}
          />
        </Section>
        <GraphFacts projectId={projectId} results={answer.results} />
      </div>
      {answer.explain !== undefined && <ExplanationView projectId={projectId} explanation={answer.explain} />}
      {!isPending && <AsCode projectId={projectId} body={asked.body} />}
    </div>
  );
}

/** The entities and relationships of the answer. */
function GraphFacts({
  projectId,
  results: { entities, relationships },
}: {
  readonly projectId: string;
  readonly results: QueryResult["results"];
}) {
  if (entities.length === 0) return null;
  return (
    <aside className={styles.graphFacts} aria-label="From the graph">
      <Section title="Entities">
        <ShortenedList label="entities" maxShown={maxShownFacts}>
          {entities.map(({ type, name, properties }) => (
            <li key={`${type}/${name}`}>
              <Link to="/projects/$projectId/graph" params={{ projectId }} search={{ find: name }}>
                {name}
              </Link>{" "}
              <Badge>{type}</Badge>
              {Object.entries(properties).map(([property, value]) => (
                <span key={property} className={styles.property}>
                  {property}: {value}
                </span>
              ))}
            </li>
          ))}
        </ShortenedList>
      </Section>
      {relationships.length > 0 && (
        <Section title="Relationships">
          <ShortenedList label="relationships" maxShown={maxShownFacts}>
            {relationships.map(({ source, type, target }) => (
              <li key={`${source}/${type}/${target}`}>
                {source} <code className={styles.edge}>{type}</code> {target}
              </li>
            ))}
          </ShortenedList>
        </Section>
      )}
    </aside>
  );
}

function duration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
