import type { CreateOntology, OntologySchema } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type LucideIcon, Redo2, Undo2 } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ontologiesQuery, ontologyCheckQuery, ontologyVersionsQuery } from "../../api/ontologies.ts";
import { service } from "../../api/service.ts";
import { toasts } from "../../app/toasts/toast-store.ts";
import { Button } from "../../components/button.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { findWordsIn, typesWithoutRelationship } from "./draft-review.ts";
import { type EditedType, EditedTypeDialog } from "./edited-type-dialog.tsx";
import { faultRange } from "./json-place.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { LoadFile } from "./load-file.tsx";
import { LookOver } from "./look-over.tsx";
import { SchemaChecks } from "./schema-checks.tsx";
import { parseSchema, printSchema, readDraft } from "./schema-draft.ts";
import styles from "./schema-editor.module.css";
import { SchemaForm } from "./schema-form.tsx";
import { SchemaPicture } from "./schema-picture.tsx";
import { SchemaText, showRange } from "./schema-text.tsx";
import { type SchemaDrafting, type SchemaDraftText, useSchemaDraft } from "./use-schema-draft.ts";
import { ViewSwitch } from "./view-switch.tsx";

interface EditorProps {
  /** Saves it as a new ontology. */
  readonly action: string;
  /** The id of the ontology that it can be a new version of. */
  readonly versionOf?: string;
  /** The description that it was drafted from: what should be looked over is marked. */
  readonly useCase?: string;
}

/** Edits a schema, and keeps its draft. */
export function SchemaEditor({
  place,
  name,
  schema,
  ...props
}: EditorProps & {
  /** Distinguishes this draft from others. */
  readonly place: string;
  readonly name: string;
  readonly schema: object;
}) {
  const [given] = useState(() => ({ name, text: printSchema(schema) }));
  const drafting = useSchemaDraft(place, given);
  return (
    <>
      <DraftEditor {...props} drafting={drafting} />
      <LeaveDraft drafting={drafting} />
    </>
  );
}

/** As a form and as JSON side by side, on a phone one at a time. The JSON text is the source and is saved. */
export function DraftEditor({
  action,
  versionOf,
  useCase,
  drafting: { draft: edited, kept, isChanged, change, undo, redo, keep, discard },
}: EditorProps & { readonly drafting: SchemaDrafting }) {
  const { name, text } = edited;
  const [view, setView] = useState<"form" | "text">("form");
  const area = useRef<HTMLTextAreaElement>(null);
  const { schema, fault } = useMemo(() => parseSchema(text), [text]);
  const draft = useMemo(() => (schema === null ? null : readDraft(schema)), [schema]);
  const saved = useMemo(() => {
    const { schema: stored } = parseSchema(versionOf === undefined ? "" : kept.text);
    return stored === null ? null : readDraft(stored);
  }, [versionOf, kept]);
  const { data: check } = useQuery(ontologyCheckQuery(useDeferredValue(schema)));
  const saving = useSaving({ keep, discard });
  const [opened, setOpened] = useState<EditedType | null>(null);
  const findWords = useMemo(() => findWordsIn(useCase ?? ""), [useCase]);
  const review =
    useCase === undefined || draft === null ? null : { alone: typesWithoutRelationship(draft), findWords };
  const changeSchema = (next: object) => change({ text: printSchema(next) });
  const showFault = (fault: string) => {
    const range = faultRange(text, fault);
    if (range === null) return;
    // A hidden element cannot receive the focus.
    flushSync(() => setView("text"));
    if (area.current !== null) showRange(area.current, range);
  };
  return (
    <div className={styles.editor}>
      <Head
        name={name}
        actions={versionOf === undefined ? [action] : [action, newVersion]}
        onName={(next) => change({ name: next }, "name")}
        // With an ontology without types a graph would stay empty.
        canSave={name.trim() !== "" && (draft?.nodeTypes.length ?? 0) > 0 && check?.valid !== false}
        isChanged={isChanged}
        isSaving={saving.isPending}
        onSave={(chosen) =>
          saving.mutate({
            // The service checks the schema.
            ontology: { name, schema: (schema ?? {}) as unknown as OntologySchema },
            versionOf: chosen === action ? null : (versionOf ?? null),
            draft: edited,
          })
        }
      />
      <div className={styles.actions}>
        <StepButton label="Undo" icon={Undo2} onStep={undo} />
        <StepButton label="Redo" icon={Redo2} onStep={redo} />
        {versionOf !== undefined && <LoadFile name={name} onSchema={changeSchema} />}
      </div>
      <FaultNotice error={saving.error} />
      {fault !== null && <Notice kind="warn">{fault}</Notice>}
      <SchemaChecks faults={check?.faults ?? []} count={check?.fault_count ?? 0} onShow={showFault} />
      {review !== null && (
        <LookOver
          alone={review.alone}
          onRelate={(source) => setOpened({ kind: "edge", at: null, ends: { source } })}
        />
      )}
      {draft !== null && <SchemaPicture draft={draft} faults={check?.faults ?? []} onEdit={setOpened} />}
      <ViewSwitch view={view} onChange={setView} />
      <div className={styles.sides} data-view={view}>
        <div className={styles.form}>
          {draft === null ? (
            <Notice>The form is shown again as soon as the text can be read.</Notice>
          ) : (
            <SchemaForm draft={draft} review={review} onEdit={setOpened} />
          )}
        </div>
        <div className={styles.text}>
          <SchemaText ref={area} value={text} onChange={(next) => change({ text: next }, "text")} />
        </div>
      </div>
      {opened !== null && schema !== null && draft !== null && (
        <EditedTypeDialog
          edited={opened}
          schema={schema}
          draft={draft}
          saved={saved}
          onChange={changeSchema}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

/** Asks before unsaved changes are lost. */
export function LeaveDraft({ drafting: { leaving, discard } }: { readonly drafting: SchemaDrafting }) {
  if (leaving.status !== "blocked") return null;
  return (
    <LeaveDialog
      onStay={leaving.reset}
      onLeave={() => {
        discard();
        leaving.proceed();
      }}
    />
  );
}

const newVersion = "Save as a new version";

/** The name of the ontology and the buttons that save it, the main one last. */
function Head({
  name,
  actions,
  onName,
  canSave,
  isChanged,
  isSaving,
  onSave,
}: {
  readonly name: string;
  readonly actions: readonly string[];
  readonly onName: (name: string) => void;
  readonly canSave: boolean;
  /** Without a change there is nothing to make a version of. */
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly onSave: (action: string) => void;
}) {
  return (
    <div className={styles.head}>
      <TextField label="Name" value={name} onChange={onName} maxLength={200} isRequired />
      <div className={styles.actions}>
        {actions.map((action, at) => (
          <Button
            key={action}
            variant={at === actions.length - 1 ? "primary" : "secondary"}
            isDisabled={!canSave || (action === newVersion && !isChanged)}
            isPending={isSaving}
            onPress={() => onSave(action)}
          >
            {action}
          </Button>
        ))}
      </div>
    </div>
  );
}

function StepButton({
  label,
  icon: Icon,
  onStep,
}: {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onStep: (() => void) | null;
}) {
  return (
    <Button size="small" isDisabled={onStep === null} onPress={() => onStep?.()}>
      <Icon aria-hidden size={14} /> {label}
    </Button>
  );
}

interface Saved {
  readonly ontology: CreateOntology;
  /** null: a new ontology. */
  readonly versionOf: string | null;
  readonly draft: SchemaDraftText;
}

function useSaving({ keep, discard }: Pick<ReturnType<typeof useSchemaDraft>, "keep" | "discard">) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { project } = useSearch({ strict: false });
  return useMutation({
    async mutationFn({ ontology, versionOf }: Saved) {
      if (versionOf === null) return service.ontologies.create(ontology);
      const before = queryClient.getQueryData(ontologyVersionsQuery(versionOf).queryKey)?.versions[0];
      const replaced = await service.ontologies.replace(versionOf, ontology);
      toasts.show({
        text:
          replaced.version === before?.version
            ? `Nothing has changed: version ${replaced.version} stays.`
            : `Version ${replaced.version} was saved. Projects stay with the version that they have.`,
      });
      return replaced;
    },
    async onSuccess({ id }, { versionOf, draft }) {
      if (versionOf === null) discard();
      else keep(draft);
      await queryClient.invalidateQueries({ queryKey: ontologiesQuery.queryKey });
      // A version is saved on the page of its ontology; whoever has left that by now is not brought back.
      const search = project === undefined ? {} : { project };
      if (versionOf === null)
        await navigate({ to: "/ontologies/$ontologyId", params: { ontologyId: id }, search });
    },
  });
}
