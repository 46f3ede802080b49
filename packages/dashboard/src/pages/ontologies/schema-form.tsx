import { Plus } from "lucide-react";
import { Fragment } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import type { FindWords } from "./draft-review.ts";
import type { EditedType } from "./edited-type-dialog.tsx";
import { type EdgeTypeDraft, namesIn, type SchemaDraft } from "./schema-draft.ts";
import styles from "./schema-form.module.css";

/** What a person should look at in a draft. */
export interface DraftReview {
  /** Types without a relationship. */
  readonly alone: readonly string[];
  readonly findWords: FindWords;
}

interface SchemaFormProps {
  readonly draft: SchemaDraft;
  /** Of a draft that somebody should look over. */
  readonly review: DraftReview | null;
  readonly onEdit: (edited: EditedType) => void;
}

/** Lists of the node types and edge types. Each type is edited in a dialog. */
export function SchemaForm(props: SchemaFormProps) {
  return (
    <div className={styles.form}>
      <NodeTypes {...props} />
      <EdgeTypes {...props} />
    </div>
  );
}

function NodeTypes({ draft, review, onEdit }: SchemaFormProps) {
  return (
    <section aria-labelledby="node-types" className={styles.section}>
      <div className={styles.head}>
        <h2 id="node-types">Node types</h2>
        <Button size="small" onPress={() => onEdit({ kind: "node", at: null })}>
          <Plus aria-hidden size={14} /> Add a type
        </Button>
      </div>
      {draft.nodeTypes.length === 0 && (
        <p className={styles.none}>
          What your documents are about: people, ships, contracts. Without a type there is nothing to save.
        </p>
      )}
      <ul className={styles.list}>
        {draft.nodeTypes.map(({ name, level, description, properties }) => (
          <li key={`${level}/${name}`}>
            <button type="button" className={styles.item} onClick={() => onEdit({ kind: "node", at: name })}>
              <span className={styles.title}>
                {name} {level > 0 && <Badge>level {level}</Badge>}
                {review?.alone.includes(name) === true && <Badge kind="warn">has no relationship</Badge>}
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

function EdgeTypes({ draft, review, onEdit }: SchemaFormProps) {
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
        {draft.edgeTypes.map((edge, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two edge types can have the same name while a schema is edited.
          <li key={at}>
            <button type="button" className={styles.item} onClick={() => onEdit({ kind: "edge", at })}>
              <EdgeTypeItem edge={edge} review={review} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function EdgeTypeItem({
  edge,
  review,
}: {
  readonly edge: EdgeTypeDraft;
  readonly review: DraftReview | null;
}) {
  const { name, sources, targets, properties, isTemporal, isFunctional } = edge;
  return (
    <>
      <span className={styles.title}>
        {name} {isTemporal && <Badge>temporal</Badge>}
        {isFunctional && <Badge>one at a time</Badge>}
      </span>
      <span className={styles.note}>
        {sources.join(", ")} → {targets.join(", ")}
      </span>
      {properties.length > 0 && <span className={styles.properties}>{properties.join(", ")}</span>}
      {review !== null && <Origin words={review.findWords(edge)} />}
    </>
  );
}

/** Where in the description an edge type may be from, with its names in bold. */
function Origin({ words }: { readonly words: ReturnType<FindWords> }) {
  if (words === null)
    return <span className={styles.origin}>No sentence of your description names both of its ends.</span>;
  return (
    <span className={styles.origin}>
      Your words:{" "}
      <q>
        {words.map(({ text, isNamed }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
          <Fragment key={at}>{isNamed ? <strong>{text}</strong> : text}</Fragment>
        ))}
      </q>
    </span>
  );
}
