import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { service } from "../../api/service.ts";
import { webhooksQuery } from "../../api/webhooks.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { allEvents, type WebhookFields, WebhookForm } from "./webhook-form.tsx";

export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretDialog secret={secret} onClose={onClose} />;
  const create = async ({ url, events, description }: WebhookFields) => {
    const created = await service.webhooks.create({
      ...{ url, events: [...events] },
      ...(description !== "" && { description }),
    });
    setSecret(created.secret);
    await queryClient.invalidateQueries(webhooksQuery);
  };
  return (
    <WebhookForm
      title="Add a webhook"
      action="Add"
      initial={{ url: "", description: "", events: allEvents }}
      onSubmit={create}
      onClose={onClose}
    />
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
