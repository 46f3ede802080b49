import type { Ontology, OntologyDiff } from "@kcs/sdk";
import { Badge, type BadgeKind } from "../../components/badge.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import styles from "./change-report.module.css";
import { type WordedChange, wordChanges } from "./version-changes.ts";

const kinds: Readonly<Record<WordedChange["kind"], BadgeKind>> = {
  added: "good",
  removed: "bad",
  renamed: "accent",
  changed: "plain",
};

/** What was added, removed, renamed and changed from one version to another. */
export function ChangeReport({
  diff,
  before,
  after,
}: {
  readonly diff: OntologyDiff;
  readonly before: Ontology;
  readonly after: Ontology;
}) {
  const { nodeTypes, edgeTypes } = wordChanges(diff, { before: before.schema, after: after.schema });
  return (
    <>
      {before.name !== after.name && (
        <p>
          The ontology is called <strong>{after.name}</strong> instead of <strong>{before.name}</strong>.
        </p>
      )}
      {nodeTypes.length + edgeTypes.length === 0 && <Notice>No type differs between these versions.</Notice>}
      <ChangeList title="Node types" changes={nodeTypes} />
      <ChangeList title="Relationships" changes={edgeTypes} />
    </>
  );
}

function ChangeList({
  title,
  changes,
}: {
  readonly title: string;
  readonly changes: readonly WordedChange[];
}) {
  if (changes.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={styles.changes}>
        {changes.map(({ kind, name, details }) => (
          <li key={`${kind} ${name}`} className={styles.change}>
            <p className={styles.name}>
              <Badge kind={kinds[kind]}>{kind}</Badge> <bdi>{name}</bdi>
            </p>
            {details.map((detail) => (
              <p key={detail} className={styles.detail} dir="auto">
                {detail}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
