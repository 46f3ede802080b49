import type { EntityDetail } from "@kcs/sdk";
import type { ReactNode } from "react";
import { counted } from "../../../components/counted.ts";
import styles from "./entity-facts.module.css";
import type { EntityPlace } from "./entity-link.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import groupStyles from "./relationship-groups.module.css";
import { Folded, RelatedEntity, Sentences } from "./relationship-groups.tsx";
import { TypeMark } from "./type-mark.tsx";

/** The type of an entity and how often it is mentioned. */
export function EntityMeta({ entity }: { readonly entity: EntityDetail }) {
  const { type, chunks, aliases } = entity;
  return (
    <>
      <p className={styles.meta}>
        <TypeMark type={type} />
        <bdi>{type}</bdi>
        <span className={styles.faint}>mentioned in {counted(chunks, "chunk")}</span>
      </p>
      {aliases.length > 0 && (
        <p className={styles.faint}>
          Also <bdi>{aliases.join(", ")}</bdi>
        </p>
      )}
    </>
  );
}

export function EntityProperties({
  entity,
  toolOf,
}: {
  readonly entity: EntityDetail;
  /** What can be done with a value, which is then on a line of its own. */
  readonly toolOf?: (property: string, value: string) => ReactNode;
}) {
  const properties = Object.entries(entity.properties);
  if (properties.length === 0) return null;
  return (
    <dl className={styles.properties}>
      {properties.map(([name, values]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          {toolOf === undefined ? (
            <dd dir="auto">{values.join("; ")}</dd>
          ) : (
            values.map((value) => (
              <dd key={value} className={styles.value}>
                <bdi>{value}</bdi>
                {toolOf(name, value)}
              </dd>
            ))
          )}
        </div>
      ))}
    </dl>
  );
}

/** What texts mention together with the entity, without a relationship in the graph. */
export function MentionedTogether({
  projectId,
  place,
  entity,
}: {
  readonly projectId: string;
  readonly place: EntityPlace;
  readonly entity: EntityDetail;
}) {
  const { associations = [] } = entity;
  if (associations.length === 0) return null;
  const quoted = new Set<string>();
  return (
    <section className={groupStyles.group}>
      <h3 className={groupStyles.head}>
        <span>Mentioned together</span>
        <span className={groupStyles.count}>{counted(associations.length, "entity", "entities")}</span>
      </h3>
      <p className={styles.faint}>The graph has no relationship between them.</p>
      <Folded
        items={associations.map(({ entity: other, evidence }) => {
          // One passage often names them all.
          const passages = evidence.map(({ chunk_id: id, start, end }) => `${id} ${start} ${end}`);
          const isNamed = evidence.some(({ text }) => text.includes(other.name));
          const isSame = isNamed && passages.every((passage) => quoted.has(passage));
          for (const passage of passages) quoted.add(passage);
          return (
            <li key={other.entity_id} className={groupStyles.item}>
              <RelatedEntity projectId={projectId} place={place} entity={other} />
              {isSame ? (
                <p className={styles.faint}>Same passage</p>
              ) : (
                <Sentences projectId={projectId} items={evidence} isShort />
              )}
            </li>
          );
        })}
      />
    </section>
  );
}

/** The sentences that mention the entity. */
export function Mentions({
  projectId,
  entity,
}: {
  readonly projectId: string;
  readonly entity: EntityDetail;
}) {
  return <EvidenceList projectId={projectId} items={entity.evidence} />;
}
