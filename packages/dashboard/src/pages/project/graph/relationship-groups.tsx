import type { EvidencedRelationship } from "@kcs/sdk";
import { Minus, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import listStyles from "../../../components/list.module.css";
import { spanWords } from "../../../components/time-words.ts";
import { AddedByHand } from "./added-by-hand.tsx";
import { EntityLink, type EntityPlace } from "./entity-link.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { wordsOf } from "./link-text.ts";
import styles from "./relationship-groups.module.css";
import { TypeMark } from "./type-mark.tsx";

const maxFirst = 5;

interface Place {
  readonly projectId: string;
  readonly place: EntityPlace;
  /** Where neighbourhoods are drawn: those that are, and what changes it. */
  readonly expansion?: Expansion;
  /** What can be done with a relationship, below its sentences. */
  readonly toolsOf?: (relationship: EvidencedRelationship) => ReactNode;
}

export interface Expansion {
  readonly opened: readonly string[];
  readonly toggle: (entityId: string) => void;
}

/** The relationships of an entity by their type and direction, each with the sentences that state it. */
export function RelationshipGroups({
  entityId,
  relationships,
  ...place
}: Place & { readonly entityId: string; readonly relationships: readonly EvidencedRelationship[] }) {
  const groups = Map.groupBy(relationships, ({ type, source }) =>
    JSON.stringify([type, source.entity_id === entityId]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (first === undefined) return null;
    const isOut = first.source.entity_id === entityId;
    return (
      <section key={`${first.type} ${isOut}`} className={styles.group}>
        <h3 className={styles.head}>
          <span>
            {isOut ? "" : "← "}
            {wordsOf(first.type)}
            {isOut ? " →" : ""}
          </span>
          <span className={styles.count}>{counted(group.length, "relationship")}</span>
        </h3>
        <Folded
          items={group.map((relationship) => (
            <li key={relationship.relationship_id} className={styles.item}>
              <RelatedEntity {...place} entity={isOut ? relationship.target : relationship.source} />
              <Note relationship={relationship} />
              <StatedBy {...place} relationship={relationship} />
              {place.toolsOf?.(relationship)}
            </li>
          ))}
        />
      </section>
    );
  });
}

/** A relationship with both of its ends. `first`: the end where a path comes from; default: its source. */
export function WholeRelationship({
  relationship,
  first,
  ...place
}: Place & { readonly relationship: EvidencedRelationship; readonly first?: string }) {
  const { source, target, type } = relationship;
  const isBackwards = first === target.entity_id;
  return (
    <li className={styles.item}>
      <RelatedEntity {...place} entity={isBackwards ? target : source} />
      <p className={styles.type}>
        {isBackwards ? "↑ " : ""}
        {wordsOf(type)}
        {isBackwards ? "" : " ↓"}
      </p>
      <RelatedEntity {...place} entity={isBackwards ? source : target} />
      <Note relationship={relationship} />
      <StatedBy {...place} relationship={relationship} />
      {place.toolsOf?.(relationship)}
    </li>
  );
}

export function RelatedEntity({
  projectId,
  place,
  expansion,
  entity,
}: Place & { readonly entity: EvidencedRelationship["source"] }) {
  return (
    <p className={styles.entity} title={entity.type}>
      <TypeMark type={entity.type} />
      <span className="visually-hidden">{entity.type}</span>
      <EntityLink projectId={projectId} entityId={entity.entity_id} called={entity} place={place} />
      {expansion !== undefined && <Expand expansion={expansion} entity={entity} />}
    </p>
  );
}

function Expand({
  expansion: { opened, toggle },
  entity: { entity_id: id, name },
}: {
  readonly expansion: Expansion;
  readonly entity: EvidencedRelationship["source"];
}) {
  const isOpen = opened.includes(id);
  const Icon = isOpen ? Minus : Plus;
  return (
    <AriaButton
      className={styles.expand ?? ""}
      aria-label={`${isOpen ? "Collapse" : "Expand"} ${name}`}
      onPress={() => toggle(id)}
    >
      <Icon aria-hidden size={14} />
    </AriaButton>
  );
}

/** Its sentences; of one that no text states, who added it. */
function StatedBy({ projectId, relationship }: Place & { readonly relationship: EvidencedRelationship }) {
  const { evidence, confirmed } = relationship;
  if (evidence.length === 0 && confirmed === true)
    return <AddedByHand projectId={projectId} relationship={relationship} />;
  return <Sentences projectId={projectId} items={evidence} />;
}

/** The first sentence, and the others when they are asked for. */
export function Sentences({
  projectId,
  items,
  isShort = false,
}: {
  readonly projectId: string;
  readonly items: EvidencedRelationship["evidence"];
  readonly isShort?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const more = items.length - 1;
  return (
    <>
      <EvidenceList
        projectId={projectId}
        items={isOpen ? items : items.slice(0, 1)}
        isShort={isShort && !isOpen}
      />
      {!isOpen && more > 0 && (
        <Button size="small" variant="quiet" onPress={() => setOpen(true)}>
          Show {counted(more, "more sentence")}
        </Button>
      )}
    </>
  );
}

/** The first items, and the others when they are asked for. */
export function Folded({ items }: { readonly items: readonly ReactNode[] }) {
  const [isOpen, setOpen] = useState(false);
  const more = items.length - maxFirst;
  return (
    <>
      <ul className={listStyles.list}>{isOpen ? items : items.slice(0, maxFirst)}</ul>
      {!isOpen && more > 0 && (
        <Button size="small" onPress={() => setOpen(true)}>
          Show {more} more
        </Button>
      )}
    </>
  );
}

function Note({ relationship }: { readonly relationship: EvidencedRelationship }) {
  const text = spanWords(relationship);
  return text === "" ? null : <p className={styles.note}>{text}</p>;
}
