import type { EvidencedRelationship, QueryResult } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { allCorrectionsQuery } from "../../../api/corrections.ts";
import { Badge } from "../../../components/badge.tsx";
import { Section } from "../../../components/section.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { AddedByHand } from "../graph/added-by-hand.tsx";
import { additionOf } from "../graph/addition-of.ts";
import { wordsOf } from "../graph/link-text.ts";
import { QuotedText } from "../graph/quoted-text.tsx";
import { fromAnswer } from "./chunk-link.tsx";
import { EntityLink } from "./entity-link.tsx";
import { contentWords } from "./question-words.ts";
import { type AnswerRelationship, evidenceQuery } from "./relationship-evidence.ts";
import styles from "./relationship-list.module.css";
import { ShortenedList } from "./shortened-list.tsx";
import { isSaid } from "./unsaid-words.ts";

/** Number of relationships shown before "Show all", where so many have to do with the answer. */
const maxShown = 6;

/** What the graph says of the names of an answer: each end leads to the graph, each sentence to its document. */
export function RelationshipList({
  projectId,
  results: { relationships, summary },
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
  const asked = contentWords(query);
  const isAsked = ({ type }: AnswerRelationship) =>
    Number(contentWords(wordsOf(type)).some((word) => isSaid(word, asked)));
  const ordered = relationships.toSorted((a, b) => weight(b) - weight(a) || isAsked(b) - isAsked(a));
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
                <span className={styles.type}>{wordsOf(type)}</span>{" "}
                <Name projectId={projectId} name={target} />{" "}
                <Verdict projectId={projectId} relationship={relationship} />
              </p>
              <EvidenceOf projectId={projectId} relationship={relationship} />
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

/** What a person has said of a relationship that texts state; where none does, that stands in place of a sentence. */
function Verdict({
  projectId,
  relationship,
}: {
  readonly projectId: string;
  readonly relationship: AnswerRelationship;
}) {
  const { data } = useQuery(evidenceQuery(projectId, relationship));
  const isMarked = data?.confirmed === true && data.evidence.length > 0;
  const { data: corrections } = useQuery({ ...allCorrectionsQuery(projectId), enabled: isMarked });
  if (!isMarked || corrections === undefined) return null;
  const addition = additionOf(data, corrections);
  return (
    <Badge kind="good">
      {addition === null ? "Confirmed" : addition.key_id === null ? "Added by hand" : "Added by a program"}
    </Badge>
  );
}

/** The sentence that the page of its entities shows first. */
function EvidenceOf({
  projectId,
  relationship,
}: {
  readonly projectId: string;
  readonly relationship: AnswerRelationship;
}) {
  const { data, error } = useQuery(evidenceQuery(projectId, relationship));
  if (data === undefined && error === null) return <Skeleton lines={2} />;
  const [first] = data?.evidence ?? [];
  if (first !== undefined) return <Quote projectId={projectId} evidence={first} />;
  if (data?.confirmed === true) return <AddedByHand projectId={projectId} relationship={data} />;
  return <p className={styles.none}>It is not in the graph any more.</p>;
}

function Quote({
  projectId,
  evidence: { text, source_doc_id: document, chunk_id: chunk, start, end },
}: {
  readonly projectId: string;
  readonly evidence: EvidencedRelationship["evidence"][number];
}) {
  return (
    <blockquote className={styles.quote} dir="auto">
      <QuotedText projectId={projectId} quote={{ source_doc_id: document, start, text }} />{" "}
      <Link
        to="/projects/$projectId/document"
        state={fromAnswer}
        params={{ projectId }}
        search={{ id: document, mark: `${start}-${end}`, chunk }}
        className={styles.document ?? ""}
      >
        {document}
      </Link>
    </blockquote>
  );
}
