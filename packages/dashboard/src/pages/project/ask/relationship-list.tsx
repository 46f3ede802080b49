import type { QueryResult } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Section } from "../../../components/section.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { typeWords } from "./answer-words.ts";
import { fromAnswer } from "./chunk-link.tsx";
import { EntityLink } from "./entity-link.tsx";
import {
  type AnswerRelationship,
  type Evidence,
  evidenceIn,
  evidenceQuery,
} from "./relationship-evidence.ts";
import styles from "./relationship-list.module.css";
import { ShortenedList } from "./shortened-list.tsx";

/** Number of relationships shown before "Show all", where so many have to do with the answer. */
const maxShown = 6;

/** What the graph says of the names of an answer: each end leads to the graph, each sentence to its document. */
export function RelationshipList({
  projectId,
  results: { relationships, chunks, summary },
  query,
}: {
  readonly projectId: string;
  readonly results: QueryResult["results"];
  readonly query: string;
}) {
  if (relationships.length === 0) return null;
  const said = `${query}\n${summary}`;
  const weight = ({ source, target }: AnswerRelationship) =>
    Number(said.includes(source)) + Number(said.includes(target));
  const ordered = relationships.toSorted((a, b) => weight(b) - weight(a));
  const near = relationships.filter((one) => weight(one) > 0).length;
  return (
    <Section title="Relationships">
      <ShortenedList label="relationships" maxShown={Math.min(maxShown, Math.max(1, near))}>
        {ordered.map((relationship) => {
          const { source, type, target } = relationship;
          return (
            <li key={`${source}/${type}/${target}`} className={styles.item}>
              <p>
                <Name projectId={projectId} name={source} />{" "}
                <span className={styles.type} title={type}>
                  {typeWords(type)}
                </span>{" "}
                <Name projectId={projectId} name={target} />
              </p>
              <EvidenceOf
                projectId={projectId}
                relationship={relationship}
                near={evidenceIn(relationship, chunks)}
              />
            </li>
          );
        })}
      </ShortenedList>
    </Section>
  );
}

function Name({ projectId, name }: { readonly projectId: string; readonly name: string }) {
  return <EntityLink projectId={projectId} name={name} className={styles.name} />;
}

/** `near`: a sentence of the answer's passages; where there is none, the graph is asked when the user wants to see one. */
function EvidenceOf({
  projectId,
  relationship,
  near,
}: {
  readonly projectId: string;
  readonly relationship: AnswerRelationship;
  readonly near: Evidence | null;
}) {
  const [isWanted, setWanted] = useState(false);
  const { data, error } = useQuery({ ...evidenceQuery(projectId, relationship), enabled: isWanted });
  if (near !== null) return <Quote projectId={projectId} evidence={near} />;
  if (!isWanted) {
    return (
      <button type="button" className={styles.more} onClick={() => setWanted(true)}>
        Show the sentence
        <span className="visually-hidden">
          {" "}
          of {relationship.source} and {relationship.target}
        </span>
      </button>
    );
  }
  const [first] = data ?? [];
  if (first !== undefined) return <Quote projectId={projectId} evidence={first} />;
  if (data === undefined && error === null) return <Skeleton lines={1} />;
  return <p className={styles.none}>Its sentence cannot be shown.</p>;
}

function Quote({
  projectId,
  evidence: { text, document, chunkId, start, end },
}: {
  readonly projectId: string;
  readonly evidence: Evidence;
}) {
  return (
    <blockquote className={styles.quote} dir="auto">
      {text}{" "}
      <Link
        to="/projects/$projectId/document"
        state={fromAnswer}
        params={{ projectId }}
        search={{ id: document, mark: `${start}-${end}`, ...(chunkId === null ? {} : { chunk: chunkId }) }}
        className={styles.document ?? ""}
      >
        {document}
      </Link>
    </blockquote>
  );
}
