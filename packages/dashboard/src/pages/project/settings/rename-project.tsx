import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { projectQuery, projectsQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Section } from "../../../components/section.tsx";
import { TextField } from "../../../components/text-field.tsx";
import styles from "../settings.module.css";

/** Gives the project another name. */
export function RenameProject({ projectId, name }: { readonly projectId: string; readonly name: string }) {
  const [text, setText] = useState(name);
  const queryClient = useQueryClient();
  const renaming = useMutation({
    mutationFn: () => service.projects.rename(projectId, { name: text.trim() }),
    async onSuccess(project) {
      toasts.show({ text: `The project is called “${project.name}” now.` });
      queryClient.setQueryData(projectQuery(projectId).queryKey, project);
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  return (
    <Section title="Name">
      <form onSubmit={submit} className={styles.rename}>
        <TextField
          label="Name of the project"
          isLabelHidden
          value={text}
          onChange={setText}
          maxLength={200}
        />
        <Button
          type="submit"
          isPending={renaming.isPending}
          isDisabled={text.trim() === "" || text.trim() === name}
        >
          Rename
        </Button>
      </form>
      <FaultNotice error={renaming.error} />
    </Section>
  );
}
