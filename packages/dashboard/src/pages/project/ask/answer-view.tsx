import type { QueryResult } from "@kcs/sdk";
import { Badge } from "../../../components/badge.tsx";
import styles from "./answer-view.module.css";

/** The summary, then the passages; what they speak of beside them. */
export function AnswerView({
  answer,
  milliseconds,
}: {
  readonly answer: QueryResult;
  readonly milliseconds: number;
}) {
  const { summary, chunks, entities, relationships } = answer.results;
  return (
    <div className={styles.answer}>
      <section aria-labelledby="summary" className={styles.summary}>
        <h2 id="summary">Answer</h2>
        <p className={styles.text}>{summary}</p>
        <p className={styles.meta}>
          <Badge>{answer.strategy_used}</Badge> {Math.round(milliseconds)} ms
        </p>
      </section>
      <div className={styles.columns}>
        <section aria-labelledby="passages">
          <h2 id="passages">Passages</h2>
          <ol className={styles.passages}>
            {chunks.map((chunk, at) => (
              <li key={chunk.chunk_id ?? at} className={styles.passage}>
                <div className={styles.head}>
                  <span>{chunk.source_doc_id}</span>
                  <span className={styles.score}>{chunk.similarity.toFixed(2)}</span>
                </div>
                <p className={styles.quote}>{chunk.text}</p>
              </li>
            ))}
          </ol>
        </section>
        {entities.length > 0 && (
          <aside className={styles.beside}>
            <section aria-labelledby="entities">
              <h2 id="entities">Entities</h2>
              <ul className={styles.entities}>
                {entities.map(({ type, name }) => (
                  <li key={`${type}/${name}`}>
                    {name} <Badge>{type}</Badge>
                  </li>
                ))}
              </ul>
            </section>
            {relationships.length > 0 && (
              <section aria-labelledby="relationships">
                <h2 id="relationships">Relationships</h2>
                <ul className={styles.entities}>
                  {relationships.map(({ source, type, target }) => (
                    <li key={`${source}/${type}/${target}`}>
                      {source} <code className={styles.edge}>{type}</code> {target}
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </aside>
        )}
      </div>
    </div>
  );
}
