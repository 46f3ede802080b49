import type { QueryResult } from "@kcs/sdk";
import { Section } from "../../../components/section.tsx";
import { EntityLink } from "./entity-link.tsx";
import styles from "./entity-list.module.css";
import { ShortenedList } from "./shortened-list.tsx";

/** Number of entities shown before "Show all". */
const maxShown = 6;

/** The names that the answer goes by, those that it or the question says first. */
export function EntityList({
  projectId,
  results: { entities, summary },
  query,
}: {
  readonly projectId: string;
  readonly results: QueryResult["results"];
  readonly query: string;
}) {
  if (entities.length === 0) return null;
  const said = `${query}\n${summary}`;
  const ordered = entities.toSorted((a, b) => Number(said.includes(b.name)) - Number(said.includes(a.name)));
  return (
    <Section title="Names">
      <ShortenedList label="names" maxShown={maxShown}>
        {ordered.map(({ type, name, properties }) => (
          <li key={`${type}/${name}`} className={styles.item}>
            <EntityLink projectId={projectId} name={name} className={styles.name} />
            {type !== "Thing" && <bdi className={styles.type}>{type}</bdi>}
            {Object.entries(properties).map(([property, value]) => (
              <span key={property} className={styles.property}>
                {property}: <bdi>{value}</bdi>
              </span>
            ))}
          </li>
        ))}
      </ShortenedList>
    </Section>
  );
}
