import type { Webhook } from "@kcs/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/fault.ts";
import { service } from "../../api/service.ts";
import { webhooksQuery } from "../../api/webhooks.ts";
import { Button } from "../../components/button.tsx";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import styles from "./create-webhook-dialog.module.css";
import { eventWords } from "./event-words.ts";
import { urlFaultOf } from "./url-fault.ts";

type EventName = Webhook["events"][number];

const events: readonly EventName[] = ["job.completed", "job.failed", "project.deleted"];

export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [chosen, setChosen] = useState<readonly EventName[]>(events);
  const creating = useMutation({
    mutationFn: () =>
      service.webhooks.create({
        ...{ url: url.trim(), events: [...chosen] },
        ...(description.trim() === "" ? {} : { description: description.trim() }),
      }),
    onSuccess: () => queryClient.invalidateQueries(webhooksQuery),
  });
  const urlFault = creating.error === null ? null : urlFaultOf(messageOf(creating.error));
  if (creating.data !== undefined) return <SecretDialog secret={creating.data.secret} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <Dialog title="Add a webhook" isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="URL"
          type="url"
          placeholder="https://example.com/hooks/knowledge"
          value={url}
          onChange={(next) => {
            setUrl(next);
            creating.reset();
          }}
          {...(urlFault !== null && { fault: urlFault })}
          isRequired
          autoFocus
        />
        <TextField label="Description" value={description} onChange={setDescription} maxLength={200} />
        <fieldset className={styles.events}>
          <legend>Events</legend>
          {events.map((name) => (
            <CheckboxField
              key={name}
              label={eventWords[name]}
              isSelected={chosen.includes(name)}
              onChange={(isOn) =>
                setChosen((before) => (isOn ? [...before, name] : before.filter((each) => each !== name)))
              }
            />
          ))}
        </fieldset>
        {urlFault === null && <FaultNotice error={creating.error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={creating.isPending}
            isDisabled={chosen.length === 0}
          >
            Add
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title="The secret of the webhook" isOpen isDismissable={false} onClose={onClose}>
      <form>
        <Notice kind="warn">Copy it now: it is not shown again.</Notice>
        <CodeBlock label="Secret" text={secret} />
        <p>
          Messages are signed with it by the rules of Standard Webhooks, so that your program can tell that
          they are genuine.
        </p>
        <DialogActions>
          <Button variant="primary" onPress={onClose}>
            I have copied it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
