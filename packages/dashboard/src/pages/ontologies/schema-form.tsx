import { Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { EdgeTypeDialog } from "./edge-type-dialog.tsx";
import { NodeTypeDialog } from "./node-type-dialog.tsx";
import { type SchemaDraft, withEdgeType, withNodeType } from "./schema-draft.ts";
import styles from "./schema-form.module.css";

type Schema = Readonly<Record<string, unknown>>;

/** Lists of the node types and edge types. Each type is edited in a dialog. */
export function SchemaForm(props: {
  readonly schema: Schema;
  readonly draft: SchemaDraft;
  readonly onChange: (schema: Schema) => void;
}) {
  return (
    <div className={styles.form}>
      <NodeTypes {...props} />
      <EdgeTypes {...props} />
    </div>
  );
}

type Edited<Key> = { readonly at: Key } | null;

interface ListProps {
  readonly schema: Schema;
  readonly draft: SchemaDraft;
  readonly onChange: (schema: Schema) => void;
}

function NodeTypes({ schema, draft, onChange }: ListProps) {
  // `at` is null while a new type is created.
  const [edited, setEdited] = useState<Edited<string | null>>(null);
  const type = draft.nodeTypes.find(({ name }) => name === edited?.at);
  return (
    <section aria-labelledby="node-types" className={styles.section}>
      <div className={styles.head}>
        <h2 id="node-types">Node types</h2>
        <Button size="small" onPress={() => setEdited({ at: null })}>
          <Plus aria-hidden size={14} /> Add a type
        </Button>
      </div>
      {draft.nodeTypes.length === 0 && (
        <p className={styles.none}>What your documents are about: people, ships, contracts.</p>
      )}
      <ul className={styles.list}>
        {draft.nodeTypes.map(({ name, level, description, properties }) => (
          <li key={`${level}/${name}`}>
            <button type="button" className={styles.item} onClick={() => setEdited({ at: name })}>
              <span className={styles.title}>
                {name} {level > 0 && <Badge>level {level}</Badge>}
              </span>
              {description !== "" && (
                <span className={styles.note} dir="auto">
                  {description}
                </span>
              )}
              {properties.length > 0 && <span className={styles.properties}>{properties.join(", ")}</span>}
            </button>
          </li>
        ))}
      </ul>
      {edited !== null && (
        <NodeTypeDialog
          type={type ?? null}
          others={draft.nodeTypes.filter(({ name }) => name !== edited.at)}
          onSave={(next) => onChange(withNodeType(schema, edited.at, next))}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  );
}

function EdgeTypes({ schema, draft, onChange }: ListProps) {
  const [edited, setEdited] = useState<Edited<number | null>>(null);
  const names = draft.nodeTypes.map(({ name }) => name);
  return (
    <section aria-labelledby="edge-types" className={styles.section}>
      <div className={styles.head}>
        <h2 id="edge-types">Relationships</h2>
        <Button size="small" isDisabled={names.length === 0} onPress={() => setEdited({ at: null })}>
          <Plus aria-hidden size={14} /> Add a relationship
        </Button>
      </div>
      {draft.edgeTypes.length === 0 && (
        <p className={styles.none}>
          {names.length === 0
            ? "Add a type first."
            : "How they are connected: who owns what, who works for whom."}
        </p>
      )}
      <ul className={styles.list}>
        {draft.edgeTypes.map(({ name, sources, targets, properties, isTemporal, isFunctional }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two edge types can have the same name while a schema is edited.
          <li key={at}>
            <button type="button" className={styles.item} onClick={() => setEdited({ at })}>
              <span className={styles.title}>
                {name} {isTemporal && <Badge>temporal</Badge>}
                {isFunctional && <Badge>one at a time</Badge>}
              </span>
              <span className={styles.note}>
                {sources.join(", ")} → {targets.join(", ")}
              </span>
              {properties.length > 0 && <span className={styles.properties}>{properties.join(", ")}</span>}
            </button>
          </li>
        ))}
      </ul>
      {edited !== null && (
        <EdgeTypeDialog
          type={edited.at === null ? null : (draft.edgeTypes[edited.at] ?? null)}
          nodeTypes={names}
          onSave={(next) => onChange(withEdgeType(schema, edited.at, next))}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  );
}
