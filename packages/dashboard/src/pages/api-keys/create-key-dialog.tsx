import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { serviceUrl } from "../../api/address.ts";
import { createKey, keysQuery } from "../../api/keys.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { Notice } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { TextField } from "../../components/text-field.tsx";

const day = 86_400;
const lifetimes = [
  { value: "0", label: "Never" },
  { value: String(7 * day), label: "In 7 days" },
  { value: String(30 * day), label: "In 30 days" },
  { value: String(90 * day), label: "In 90 days" },
  { value: String(365 * day), label: "In a year" },
];

export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  readonly onCreated?: (key: string) => void;
  readonly onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState("0");
  const creating = useMutation({
    mutationFn: () => createKey({ name, expiresIn: lifetime === "0" ? null : Number(lifetime) }),
    onSuccess({ key }) {
      onCreated?.(key);
      return queryClient.invalidateQueries(keysQuery);
    },
  });
  if (creating.data !== undefined) return <NewKeyDialog apiKey={creating.data.key} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <Dialog title="Create a key" isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="Name"
          hint="What the key is used for, so that you can recognise it later."
          value={name}
          onChange={setName}
          maxLength={100}
          isRequired
          autoFocus
        />
        <Select label="Expires" options={lifetimes} value={lifetime} onChange={setLifetime} />
        <FaultNotice error={creating.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={creating.isPending}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function NewKeyDialog({ apiKey, onClose }: { readonly apiKey: string; readonly onClose: () => void }) {
  const curl = `curl ${serviceUrl("api/v1/projects")} \\\n  -H "Authorization: Bearer ${apiKey}"`;
  return (
    <Dialog title="Your new key" isOpen isDismissable={false} onClose={onClose}>
      <form>
        <Notice kind="warn">Copy it now: it is not shown again.</Notice>
        <CodeBlock label="Key" text={apiKey} />
        <CodeBlock label="Try it" text={curl} />
        <DialogActions>
          <Button variant="primary" onPress={onClose}>
            I have copied it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
