import type { Webhook } from "@kcs/sdk";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/fault.ts";
import { Button } from "../../components/button.tsx";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { eventWords } from "./event-words.ts";
import { urlFaultOf } from "./url-fault.ts";
import styles from "./webhook-form.module.css";

type EventName = Webhook["events"][number];

export interface WebhookFields {
  readonly url: string;
  /** "" for none. */
  readonly description: string;
  readonly events: readonly EventName[];
}

export const allEvents: readonly EventName[] = ["job.completed", "job.failed", "project.deleted"];

/** What a webhook has, in a dialog. */
export function WebhookForm({
  title,
  action,
  initial,
  onSubmit,
  onClose,
}: {
  readonly title: string;
  readonly action: string;
  readonly initial: WebhookFields;
  readonly onSubmit: (fields: WebhookFields) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [url, setUrl] = useState(initial.url);
  const [description, setDescription] = useState(initial.description);
  const [chosen, setChosen] = useState(initial.events);
  const sending = useMutation({
    mutationFn: () =>
      onSubmit({
        ...{ url: url.trim(), description: description.trim() },
        events: allEvents.filter((name) => chosen.includes(name)),
      }),
  });
  const urlFault = sending.error === null ? null : urlFaultOf(messageOf(sending.error));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="URL"
          type="url"
          hint="An http address and one of a private network are refused, unless whoever operates the service allows them (KCS_WEBHOOK_PRIVATE=allow)."
          placeholder="https://example.com/hooks/knowledge"
          value={url}
          onChange={(next) => {
            setUrl(next);
            sending.reset();
          }}
          {...(urlFault !== null && { fault: urlFault })}
          isRequired
          autoFocus
        />
        <TextField label="Description" value={description} onChange={setDescription} maxLength={200} />
        <fieldset className={styles.events}>
          <legend>Events</legend>
          {allEvents.map((name) => (
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
        {urlFault === null && <FaultNotice error={sending.error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={sending.isPending}
            isDisabled={chosen.length === 0}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
