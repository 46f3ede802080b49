import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef } from "react";
import { service } from "../../../api/service.ts";
import { addedMs, toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { urlFaultOf } from "../../webhooks/url-fault.ts";
import styles from "./form.module.css";
import type { IngestInput } from "./ingest-input.ts";
import { MetadataFields } from "./metadata-fields.tsx";
import { type MetadataRow, metadataOf, rowFault } from "./metadata-rows.ts";
import { formFaultOf } from "./not-sent-words.ts";

export interface GivenUrl {
  readonly url: string;
  /** "": the URL. */
  readonly name: string;
  readonly metadata: readonly MetadataRow[];
}

export const emptyUrl: GivenUrl = { url: "", name: "", metadata: [] };

/** The service fetches for at most a minute. */
const timeoutMs = 90_000;

/** A form for the address of a page, or of a sitemap, which the service fetches. */
export function UrlForm({
  projectId,
  given: { url, name, metadata },
  onGiven,
  onSent,
}: Omit<IngestInput, "onFault"> & {
  readonly given: GivenUrl;
  readonly onGiven: (given: GivenUrl) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const sending = useMutation({
    mutationFn: () =>
      service.files.ingestUrl(
        projectId,
        {
          ...{ url: url.trim(), metadata: metadataOf(metadata) },
          ...(name.trim() === "" ? {} : { source_doc_id: name.trim() }),
        },
        { timeoutMs },
      ),
    onSuccess({ jobs }) {
      const pages = jobs.length === 1 ? "The page was" : `${jobs.length.toLocaleString("en")} pages were`;
      toasts.show({ text: `${pages} added.`, forMs: addedMs });
      onSent(jobs);
      onGiven(emptyUrl);
      form.current?.querySelector("input")?.focus();
    },
  });
  const message = sending.error === null ? null : formFaultOf(sending.error);
  const isOfName = message?.startsWith("source_doc_id: ") === true;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  const change = (part: Partial<GivenUrl>) => {
    if (part.metadata === undefined) sending.reset();
    onGiven({ url, name, metadata, ...part });
  };
  return (
    <form ref={form} onSubmit={submit} className={styles.form}>
      <TextField
        label="Address of a page or of a sitemap"
        hint="The service fetches the page now, and not again later. It cannot sign in anywhere. An http address and one of a private network are refused, unless whoever operates the service allows them (KCS_WEBHOOK_PRIVATE=allow). A sitemap is a site's list of its pages (sitemap.xml): each page of it becomes a document."
        type="url"
        placeholder="https://example.com/manual.html"
        value={url}
        onChange={(next) => change({ url: next })}
        maxLength={512}
        {...(message !== null && !isOfName && { fault: urlFaultOf(message) ?? message })}
        isRequired
      />
      <TextField
        label="Name"
        hint="Leave it empty, and the document is called like the address. For a sitemap it has to be empty."
        value={name}
        onChange={(next) => change({ name: next })}
        maxLength={512}
        {...(isOfName && {
          fault: "This cannot be the name: the address has a sitemap, whose pages are named by theirs.",
        })}
      />
      <MetadataFields projectId={projectId} rows={metadata} onChange={(rows) => change({ metadata: rows })} />
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isPending={sending.isPending}
          isDisabled={metadata.some((row) => rowFault(row, metadata) !== null)}
        >
          {sending.isPending ? "Fetching …" : "Fetch and add"}
        </Button>
      </div>
    </form>
  );
}
