import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { messageOf, statusOf } from "../../../api/fault.ts";
import { entityQuery, relationshipsQuery, useSurvivor } from "../../../api/graph.ts";
import type { NamedEntity } from "../../../api/renamed-entity.ts";
import { Button } from "../../../components/button.tsx";
import { ButtonLink } from "../../../components/button-link.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { RejectedList } from "../entity/rejected-list.tsx";
import { EntityMeta, EntityProperties, MentionedTogether, Mentions } from "./entity-facts.tsx";
import { EntityFinder } from "./entity-finder.tsx";
import styles from "./entity-panel.module.css";
import { GoneEntity } from "./gone-entity.tsx";
import type { GraphAddress } from "./graph-address.ts";
import { type Expansion, RelationshipGroups } from "./relationship-groups.tsx";
import { type HiddenTypes, withoutHidden } from "./scene.ts";

/** The chosen entity: what is stated of it, and where to go from it. */
export function EntityPanel({
  projectId,
  entityId,
  called,
  asOf,
  hidden,
  expansion,
  children,
  onPath,
  onClose,
}: {
  readonly projectId: string;
  readonly entityId: string;
  /** In the address. */
  readonly called: NamedEntity | null;
  /** Only relationships that hold then. */
  readonly asOf: string | undefined;
  /** What the filter leaves out. */
  readonly hidden: HiddenTypes;
  readonly expansion?: Expansion;
  /** What changes the drawing. */
  readonly children?: ReactNode;
  readonly onPath: (entityId: string) => void;
  readonly onClose: () => void;
}) {
  const { data: entity, error } = useQuery(entityQuery(projectId, entityId, asOf));
  const { data: related } = useQuery(relationshipsQuery(projectId, entityId, asOf));
  const isGone = statusOf(error) === 404;
  const survivor = useSurvivor(projectId, { id: entityId, called, isGone });
  if (survivor != null)
    return (
      <Navigate
        to="/projects/$projectId/graph"
        params={{ projectId }}
        search={(before: GraphAddress) => ({ ...before, entity: survivor })}
        replace
      />
    );
  if (isGone && survivor === null)
    return (
      <PanelFrame title={`${called?.name ?? "This entity"} does not exist any more`} onClose={onClose}>
        <p>
          <GoneEntity projectId={projectId} />
        </p>
      </PanelFrame>
    );
  if (error !== null && !isGone)
    return (
      <PanelFrame title="The entity could not be loaded" onClose={onClose}>
        <Notice kind="bad">{messageOf(error)}</Notice>
      </PanelFrame>
    );
  if (error !== null || entity === undefined) return <Skeleton lines={6} />;
  const listed = withoutHidden(related?.relationships ?? [], { entityId, hidden });
  const place = { projectId, place: "graph" } as const;
  return (
    <PanelFrame title={entity.name} onClose={onClose}>
      <EntityMeta entity={entity} />
      <div className={styles.actions}>
        <ButtonLink to="/projects/$projectId/entity" params={{ projectId }} search={{ id: entityId }}>
          Open its page
        </ButtonLink>
        {children}
      </div>
      <EntityFinder projectId={projectId} label="Find a path to …" without={entityId} onChoose={onPath} />
      <EntityProperties entity={entity} />
      {related === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <RelationshipGroups
          {...place}
          {...(expansion !== undefined && { expansion })}
          entityId={entityId}
          relationships={listed}
        />
      )}
      {related !== undefined && related.relationships.length < related.total && (
        <p>
          The {related.relationships.length.toLocaleString("en")} best supported of{" "}
          {related.total.toLocaleString("en")} relationships.
        </p>
      )}
      {entity.history.length > 0 && (
        <section className={styles.section}>
          <h3>{asOf === undefined ? "Earlier" : "At other times"}</h3>
          <RelationshipGroups {...place} entityId={entityId} relationships={entity.history} />
        </section>
      )}
      {related !== undefined && listed.length < related.relationships.length && (
        <p>
          {(related.relationships.length - listed.length).toLocaleString("en")} more are hidden by the filter.
        </p>
      )}
      {related !== undefined && (
        <RejectedList projectId={projectId} entity={entity} isOpen={related.relationships.length === 0} />
      )}
      <MentionedTogether {...place} entity={entity} />
      <section className={styles.section}>
        <h3>Passages</h3>
        <Mentions projectId={projectId} entity={entity} />
      </section>
    </PanelFrame>
  );
}

export function PanelFrame({
  title,
  children,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each title.
  useEffect(() => {
    // What was chosen with the keyboard is where the keyboard goes on, unless something else has the focus.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2 dir="auto" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button size="icon" variant="quiet" aria-label="Close" onPress={onClose}>
          <X aria-hidden size={16} />
        </Button>
      </div>
      {children}
    </div>
  );
}
