import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { overviewQuery } from "../../../api/graph.ts";
import { projectConfigQuery } from "../../../api/projects.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Section } from "../../../components/section.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { EntityLink } from "../graph/entity-link.tsx";
import { TypeMark } from "../graph/type-mark.tsx";
import styles from "./document-entities.module.css";
import { unreadNames } from "./unread-names.ts";

const maxEntities = 500;
const shownAtFirst = 24;

export function documentEntitiesQuery(projectId: string, id: string, state: string) {
  const query = overviewQuery(projectId, { size: maxEntities, document: id });
  return { ...query, queryKey: [...query.queryKey, state] };
}

/** What a document names, the best connected first. */
export function DocumentEntities({
  projectId,
  id,
  isBeingRead,
  text,
  state,
}: {
  readonly projectId: string;
  readonly id: string;
  /** Its names may still come. */
  readonly isBeingRead: boolean;
  readonly text: string | null;
  /** Of the document; when it changes, its entities may have. */
  readonly state: string;
}) {
  const { data, error } = useQuery(documentEntitiesQuery(projectId, id, state));
  const [isWhole, setWhole] = useState(false);
  const entities = data?.entities ?? [];
  const shown = isWhole ? entities : entities.slice(0, shownAtFirst);
  return (
    <Section
      title="Entities"
      description={
        data !== undefined &&
        entities.length > 0 && (
          <Link to="/projects/$projectId/graph" params={{ projectId }} search={{ document: id }}>
            Show them in the graph
          </Link>
        )
      }
    >
      <FaultNotice error={error} />
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data !== undefined && entities.length === 0 && (
        <p className={styles.none}>
          {isBeingRead ? "None so far." : <NoNames projectId={projectId} text={text} />}
        </p>
      )}
      <ul className={styles.list}>
        {shown.map(({ entity_id: entityId, name, type }) => (
          <li key={entityId} className={styles.entity} title={type}>
            <TypeMark type={type} />
            <EntityLink projectId={projectId} entityId={entityId} called={{ name, type }} place="page" />
            <span className="visually-hidden">, {type}</span>
          </li>
        ))}
      </ul>
      {entities.length > shown.length && (
        <Button size="small" variant="quiet" onPress={() => setWhole(true)}>
          Show all {entities.length.toLocaleString("en")}
        </Button>
      )}
    </Section>
  );
}

function NoNames({ projectId, text }: { readonly projectId: string; readonly text: string | null }) {
  const { data } = useQuery(projectConfigQuery(projectId));
  return data === undefined ? null : unreadNames(text, data.config.extraction);
}
