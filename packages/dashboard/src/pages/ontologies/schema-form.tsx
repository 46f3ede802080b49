import { Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { type EditedType, EditedTypeDialog } from "./edited-type-dialog.tsx";
import { namesIn, type SchemaDraft } from "./schema-draft.ts";
import styles from "./schema-form.module.css";

type Schema = Readonly<Record<string, unknown>>;

interface Lists {
  readonly draft: SchemaDraft;
  readonly onEdit: (edited: EditedType) => void;
}

/** Lists of the node types and edge types. Each type is edited in a dialog. */
export function SchemaForm({
  schema,
  draft,
  onChange,
}: {
  readonly schema: Schema;
  readonly draft: SchemaDraft;
  readonly onChange: (schema: Schema) => void;
}) {
  const [edited, setEdited] = useState<EditedType | null>(null);
  return (
    <div className={styles.form}>
      <NodeTypes draft={draft} onEdit={setEdited} />
      <EdgeTypes draft={draft} onEdit={setEdited} />
      {edited !== null && (
        <EditedTypeDialog
          edited={edited}
          schema={schema}
          draft={draft}
          onChange={onChange}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
}

function NodeTypes({ draft, onEdit }: Lists) {
  return (
    <section aria-labelledby="node-types" className={styles.section}>
      <div className={styles.head}>
        <h2 id="node-types">Node types</h2>
        <Button size="small" onPress={() => onEdit({ kind: "node", at: null })}>
          <Plus aria-hidden size={14} /> Add a type
        </Button>
      </div>
      {draft.nodeTypes.length === 0 && (
        <p className={styles.none}>What your documents are about: people, ships, contracts.</p>
      )}
      <ul className={styles.list}>
        {draft.nodeTypes.map(({ name, level, description, properties }) => (
          <li key={`${level}/${name}`}>
            <button type="button" className={styles.item} onClick={() => onEdit({ kind: "node", at: name })}>
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
    </section>
  );
}

function EdgeTypes({ draft, onEdit }: Lists) {
  const names = namesIn(draft.nodeTypes);
  return (
    <section aria-labelledby="edge-types" className={styles.section}>
      <div className={styles.head}>
        <h2 id="edge-types">Relationships</h2>
        <Button
          size="small"
          isDisabled={names.length === 0}
          onPress={() => onEdit({ kind: "edge", at: null })}
        >
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
            <button type="button" className={styles.item} onClick={() => onEdit({ kind: "edge", at })}>
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
    </section>
  );
}
