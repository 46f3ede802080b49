import type { EntityDetail, EvidencedRelationship } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { statusOf } from "../../api/fault.ts";
import { entityQuery, maxRelationships, relationshipsQuery, useSurvivor } from "../../api/graph.ts";
import { type NamedEntity, nameForAddress } from "../../api/renamed-entity.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { counted } from "../../components/counted.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { Section } from "../../components/section.tsx";
import { PageSkeleton, Skeleton } from "../../components/skeleton.tsx";
import { spanWords } from "../../components/time-words.ts";
import { AddRelationship } from "./entity/add-relationship.tsx";
import { CorrectEntity } from "./entity/correct-entity.tsx";
import { countQuotes } from "./entity/count-quotes.ts";
import { JudgeRelationship } from "./entity/judge-relationship.tsx";
import { PropertySection } from "./entity/property-section.tsx";
import { RejectedList } from "./entity/rejected-list.tsx";
import styles from "./entity.module.css";
import { EntityMeta, MentionedTogether, Mentions } from "./graph/entity-facts.tsx";
import { GoneEntity } from "./graph/gone-entity.tsx";
import { wordsOf } from "./graph/link-text.ts";
import { RelatedEntity, RelationshipGroups } from "./graph/relationship-groups.tsx";
import { keptState } from "./graph/trail.ts";
import { useNarrow } from "./graph/use-narrow.ts";

/** All that is known of one entity, with the sentences and documents that state it. */
export function EntityPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { id, name, type } = useSearch({ from: "/signed-in/projects/$projectId/entity" });
  const { data: entity, error } = useQuery(entityQuery(projectId, id));
  const { data: related } = useQuery(relationshipsQuery(projectId, id));
  // There the graph is lists, and this page has all that they have of an entity.
  const isNarrow = useNarrow();
  const isGone = statusOf(error) === 404;
  const called = name === undefined || type === undefined ? null : { name, type };
  const survivor = useSurvivor(projectId, { id, called, isGone });
  useNameInAddress(error === null ? entity : undefined, called);
  if (survivor != null)
    return (
      <Navigate to="/projects/$projectId/entity" params={{ projectId }} search={{ id: survivor }} replace />
    );
  if (isGone && survivor === null)
    return (
      <EmptyState title={`${name === undefined ? "This entity" : `“${name}”`} does not exist any more`}>
        <GoneEntity projectId={projectId} />
      </EmptyState>
    );
  if (error !== null && !isGone) return <PageFault error={error} />;
  if (error !== null || entity === undefined) return <PageSkeleton />;
  const relationships = related?.relationships ?? [];
  const timed = [...relationships, ...entity.history]
    .filter((each) => spanWords(each) !== "")
    .toSorted(byTime);
  const quotes = [...entity.evidence, ...relationships.flatMap(({ evidence }) => evidence)];
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 dir="auto" className={styles.name}>
            {entity.name}
          </h2>
          <EntityMeta entity={entity} />
        </div>
        <div className={styles.actions}>
          <CorrectEntity projectId={projectId} entity={entity} />
          <ButtonLink to="/projects/$projectId/corrections" params={{ projectId }}>
            Corrections
          </ButtonLink>
          {!isNarrow && (
            <ButtonLink to="/projects/$projectId/graph" params={{ projectId }} search={{ entity: id }}>
              Show in the graph
            </ButtonLink>
          )}
        </div>
      </div>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Section
            title="Relationships"
            action={<AddRelationship projectId={projectId} entity={entity} />}
            {...((related?.total ?? 0) > maxRelationships && {
              description: `The ${maxRelationships} best supported of ${related?.total.toLocaleString("en")}.`,
            })}
          >
            {related === undefined ? (
              <Skeleton lines={6} />
            ) : relationships.length === 0 ? (
              <p className={styles.none}>
                {entity.history.length > 0
                  ? "No relationship of it holds now."
                  : "The graph has no relationship of it."}
              </p>
            ) : (
              <div className={styles.groups}>
                <RelationshipGroups
                  projectId={projectId}
                  place="page"
                  entityId={id}
                  relationships={relationships}
                  toolsOf={(each) => <JudgeRelationship projectId={projectId} relationship={each} />}
                />
              </div>
            )}
            {related !== undefined && (
              <RejectedList projectId={projectId} entity={entity} isOpen={relationships.length === 0} />
            )}
          </Section>
          {entity.history.length > 0 && (
            <Section title="Earlier relationships">
              <div className={styles.groups}>
                <RelationshipGroups
                  projectId={projectId}
                  place="page"
                  entityId={id}
                  relationships={entity.history}
                  toolsOf={(each) => <JudgeRelationship projectId={projectId} relationship={each} />}
                />
              </div>
            </Section>
          )}
          <Section title="Passages">
            <Mentions projectId={projectId} entity={entity} />
          </Section>
        </div>
        <div className={styles.side}>
          <PropertySection projectId={projectId} entity={entity} />
          {timed.length > 0 && <Timeline projectId={projectId} entityId={id} relationships={timed} />}
          <Documents projectId={projectId} quotes={quotes} />
          <MentionedTogether projectId={projectId} place="page" entity={entity} />
        </div>
      </div>
    </div>
  );
}

/** The address has the name and type. */
function useNameInAddress(entity: EntityDetail | undefined, called: NamedEntity | null): void {
  const navigate = useNavigate({ from: "/projects/$projectId/entity" });
  useEffect(() => {
    if (entity === undefined) return;
    const { name, type } = nameForAddress(entity);
    if (called?.name === name && called.type === type) return;
    const search = { id: entity.entity_id, name, type };
    void navigate({ search, replace: true, resetScroll: false, state: keptState });
  }, [entity, called?.name, called?.type, navigate]);
}

/** The relationships with a time, the earliest first. */
function Timeline({
  projectId,
  entityId,
  relationships,
}: {
  readonly projectId: string;
  readonly entityId: string;
  readonly relationships: readonly EvidencedRelationship[];
}) {
  return (
    <Section title="Timeline">
      <ol className={styles.timeline}>
        {relationships.map((each) => (
          <li key={each.relationship_id}>
            <p className={styles.time}>{spanWords(each)}</p>
            <p className={styles.none}>{wordsOf(each.type)}</p>
            <RelatedEntity
              projectId={projectId}
              place="page"
              entity={each.source.entity_id === entityId ? each.target : each.source}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The documents that the page quotes, those that it quotes most first. */
function Documents({
  projectId,
  quotes,
}: {
  readonly projectId: string;
  readonly quotes: EntityDetail["evidence"];
}) {
  const documents = countQuotes(quotes);
  return (
    <Section title="Documents">
      <ul className={styles.documents}>
        {documents.map(({ name, sentences }) => (
          <li key={name}>
            <Link to="/projects/$projectId/document" params={{ projectId }} search={{ id: name }}>
              <bdi>{name}</bdi>
            </Link>{" "}
            <span className={styles.none}>{counted(sentences, "sentence")} quoted</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Dates as precise as the text are ordered as text. */
function byTime(one: EvidencedRelationship, other: EvidencedRelationship): number {
  const [first, second] = [one, other].map(({ valid_from: from, valid_to: to }) => from ?? to ?? "");
  return first === second ? 0 : (first ?? "") < (second ?? "") ? -1 : 1;
}
