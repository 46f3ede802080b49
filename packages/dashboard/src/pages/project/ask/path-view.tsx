import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { fromAnswer } from "./chunk-link.tsx";
import type { CitedPlace } from "./citations.ts";
import { EntityLink } from "./entity-link.tsx";
import styles from "./path-view.module.css";
import type { QuotedPath } from "./read-answer.ts";

const maxSentenceCharacters = 160;

/** The paths to what is quoted, drawn small: the question, each name with the document that has it, and the quoted passage. */
export function PathView({
  projectId,
  paths,
  isAnswered,
  onShow,
}: {
  readonly projectId: string;
  readonly paths: readonly QuotedPath[];
  /** A path leads to an answer, not only to a passage that is quoted. */
  readonly isAnswered: boolean;
  /** Opens the quoted passage. */
  readonly onShow: (place: CitedPlace) => void;
}) {
  if (paths.length === 0) return null;
  return (
    <div className={styles.paths}>
      <h3 className={styles.title} id="path">
        {isAnswered ? "Path to the answer" : "Path to the quoted passage"}
      </h3>
      {paths.map(({ chunkId, hops, place, document }) => (
        <ol key={`${chunkId} ${hops.at(-1)?.name}`} className={styles.path} aria-labelledby="path">
          <li className={styles.hop}>
            <span className={styles.start}>Question</span>
          </li>
          {hops.map(({ name, from, relation }) => (
            <li key={name} className={styles.hop}>
              <span className={styles.edge} title={shortened(from.sentence)}>
                <span className={styles.relation}>
                  {relation ?? "names"} <ArrowRight aria-hidden size={14} />
                </span>
                <Link
                  to="/projects/$projectId/document"
                  state={fromAnswer}
                  params={{ projectId }}
                  search={{
                    id: from.source_doc_id,
                    chunk: from.chunk_id,
                    mark: `${from.start}-${from.end}`,
                  }}
                  className={styles.document ?? ""}
                  dir="auto"
                >
                  {from.source_doc_id}
                </Link>
              </span>
              <EntityLink projectId={projectId} name={name} className={styles.name} />
            </li>
          ))}
          <li className={styles.hop}>
            <span className={styles.edge}>
              <span className={styles.relation}>
                says <ArrowRight aria-hidden size={14} />
              </span>
            </span>
            <button type="button" className={styles.end} onClick={() => onShow(place)}>
              <span className={styles.number}>{place.chunk + 1}</span>
              <span dir="auto" className={styles.document}>
                {document}
              </span>
            </button>
          </li>
        </ol>
      ))}
    </div>
  );
}

function shortened(sentence: string): string {
  const text = sentence.replace(/\s+/g, " ").trim();
  return text.length <= maxSentenceCharacters
    ? text
    : `${text.slice(0, maxSentenceCharacters).toWellFormed()}…`;
}
