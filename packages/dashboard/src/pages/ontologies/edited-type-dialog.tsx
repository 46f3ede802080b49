import { withDraftedDescriptions } from "./drafted-descriptions.ts";
import { EdgeTypeDialog } from "./edge-type-dialog.tsx";
import { NodeTypeDialog } from "./node-type-dialog.tsx";
import {
  edgesOnlyOf,
  namesIn,
  readNamesIn,
  type SchemaDraft,
  withEdgeType,
  withNodeType,
} from "./schema-draft.ts";

type Schema = Readonly<Record<string, unknown>>;

/** What is edited in a dialog. `at` null: a new one. */
export type EditedType =
  | { readonly kind: "node"; readonly at: string | null }
  | {
      readonly kind: "edge";
      readonly at: number | null;
      /** Of a new one: what it was drawn between, or only its source. */
      readonly ends?: { readonly source: string; readonly target?: string };
    };

/** The dialog of a node type or an edge type of the schema. */
export function EditedTypeDialog({
  edited,
  schema,
  draft,
  saved,
  onChange,
  onClose,
}: {
  readonly edited: EditedType;
  readonly schema: Schema;
  readonly draft: SchemaDraft;
  /** As it is stored; null where it is not yet. */
  readonly saved: SchemaDraft | null;
  readonly onChange: (schema: Schema) => void;
  readonly onClose: () => void;
}) {
  const save = (next: Schema) => onChange(withDraftedDescriptions(schema, next));
  if (edited.kind === "node") {
    const type = draft.nodeTypes.find(({ name }) => name === edited.at) ?? null;
    return (
      <NodeTypeDialog
        type={type}
        others={draft.nodeTypes.filter(({ name }) => name !== edited.at)}
        earlier={earlierName(type, saved?.nodeTypes)}
        goesWith={edited.at === null ? [] : namesIn(edgesOnlyOf(draft, edited.at))}
        onSave={(next) => save(withNodeType(schema, edited.at, next))}
        onClose={onClose}
      />
    );
  }
  const type = edited.at === null ? null : (draft.edgeTypes[edited.at] ?? null);
  return (
    <EdgeTypeDialog
      type={type}
      taken={namesIn(draft.edgeTypes.filter((_, at) => at !== edited.at))}
      earlier={earlierName(type, saved?.edgeTypes)}
      {...(edited.ends === undefined ? {} : { ends: edited.ends })}
      nodeTypes={namesIn(draft.nodeTypes)}
      onSave={(next) => save(withEdgeType(schema, edited.at, next))}
      onClose={onClose}
    />
  );
}

type Renamed = { readonly name: string; readonly readAs?: string };

/** Of a type that is not stored yet nothing was read. */
function earlierName(type: Renamed | null, saved: readonly Renamed[] = []): string | null {
  const [earlier] = type === null ? [] : readNamesIn([type]);
  return earlier !== undefined && readNamesIn(saved).includes(earlier) ? earlier : null;
}
