import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { ontologiesQuery, ontologyCheckQuery } from "../../api/ontologies.ts";
import { service } from "../../api/service.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { parseSchema, printSchema, readDraft } from "./schema-draft.ts";
import styles from "./schema-editor.module.css";
import { SchemaForm } from "./schema-form.tsx";
import { SchemaPicture } from "./schema-picture.tsx";

const shownFaults = 8;

/** A schema as a form and as JSON, side by side; the text is what counts and what is saved. */
export function SchemaEditor({
  name: givenName,
  schema: givenSchema,
  action,
}: {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly action: string;
}) {
  const [name, setName] = useState(givenName);
  const [text, setText] = useState(() => printSchema(givenSchema));
  const schema = useMemo(() => parseSchema(text), [text]);
  const draft = useMemo(() => (schema === null ? null : readDraft(schema)), [schema]);
  const { data: check } = useQuery(ontologyCheckQuery(useDeferredValue(schema)));
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const saving = useMutation({
    mutationFn: () => service.ontologies.create({ name, schema: schema ?? {} }),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: ontologiesQuery.queryKey, exact: true });
      await navigate({ to: "/ontologies/$ontologyId", params: { ontologyId: id } });
    },
  });
  return (
    <div className={styles.editor}>
      <div className={styles.head}>
        <TextField label="Name" value={name} onChange={setName} maxLength={200} isRequired />
        <Button
          variant="primary"
          isDisabled={name.trim() === "" || schema === null || check?.valid === false}
          isPending={saving.isPending}
          onPress={() => saving.mutate()}
        >
          {action}
        </Button>
      </div>
      {saving.isError && <Notice kind="bad">{saving.error.message}</Notice>}
      <Checks isSchema={schema !== null} faults={check?.faults ?? []} count={check?.fault_count ?? 0} />
      {draft !== null && <SchemaPicture draft={draft} />}
      <div className={styles.sides}>
        {schema === null || draft === null ? (
          <Notice>The form comes back as soon as the text is JSON with the member “ontology”.</Notice>
        ) : (
          <SchemaForm schema={schema} draft={draft} onChange={(next) => setText(printSchema(next))} />
        )}
        <div className={styles.text}>
          <TextField label="Schema as JSON" rows={28} value={text} onChange={setText} spellCheck="false" />
        </div>
      </div>
    </div>
  );
}

/** The service's own words, with the place of each fault. */
function Checks({
  isSchema,
  faults,
  count,
}: {
  readonly isSchema: boolean;
  readonly faults: readonly string[];
  readonly count: number;
}) {
  if (!isSchema) return <Notice kind="warn">The text is not JSON with the member “ontology” yet.</Notice>;
  if (faults.length === 0) return null;
  return (
    <Notice kind="warn">
      <ul className={styles.faults}>
        {faults.slice(0, shownFaults).map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
        {count > shownFaults && <li>And {count - shownFaults} more.</li>}
      </ul>
    </Notice>
  );
}
