import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../api/fault.ts";
import { retainedKey } from "../../../api/retained-key.ts";
import { keepUploadNotes, type UploadNote, uploadNotesQuery } from "../../../api/upload-notes.ts";
import type { IngestInput, SentJob } from "./ingest-input.ts";
import { emptyNote, refusedNote } from "./not-sent-words.ts";
import type { ReadFiles } from "./read-files.ts";
import { sendDocuments, sendFiles } from "./send-documents.ts";

export interface Upload {
  /** Reads files and sends them. */
  readonly start: (read: () => Promise<ReadFiles>) => void;
  readonly isPending: boolean;
  /** How far it is, in words. */
  readonly state: string;
  /** What of the last one was not sent. */
  readonly notes: readonly UploadNote[];
  /** null: the files are not at hand any more, or nothing is left to send. */
  readonly sendAgain: (() => void) | null;
  readonly dismiss: () => void;
}

export function useUpload({ projectId, onSent, onFault }: IngestInput): Upload {
  const [state, setState] = useState("");
  const client = useQueryClient();
  const { data: notes = [] } = useQuery(uploadNotesQuery(projectId));
  // Files stay in memory: they outlive the page, but not the window.
  const unsentKey = [retainedKey, "unsent", projectId];
  const keep = (next: readonly UploadNote[], unsent: ReadFiles | null) => {
    client.setQueryData(unsentKey, unsent);
    keepUploadNotes(client, projectId, next);
  };
  const sending = useMutation({
    async mutationFn(read: () => Promise<ReadFiles>) {
      setState("Reading the files …");
      onFault(null);
      keep([], null);
      const files = await read().catch((error: unknown) => {
        onFault(messageOf(error));
        throw error;
      });
      const { texts, others, empty } = files;
      const names = [...texts.map((text) => text.source_doc_id), ...others.map(({ name }) => name)];
      if (names.length + empty.length === 0) onFault("There is no file in what you chose.");
      let sent = 0;
      const tell = (rest: string) =>
        setState(`Sent ${sent.toLocaleString("en")} of ${names.length.toLocaleString("en")}${rest}`);
      tell(" …");
      const each = {
        onSent(jobs: readonly SentJob[], count: number) {
          sent += count;
          onSent(jobs);
          tell(" …");
        },
        onWait: (seconds: number) =>
          tell(`. The service takes no more for ${seconds} s; then the rest is sent`),
      };
      const ofEmpty = empty.length === 0 ? [] : [emptyNote(empty)];
      try {
        await sendDocuments(projectId, texts, each);
        await sendFiles(projectId, others, each);
        keep(ofEmpty, null);
      } catch (error) {
        const left = { texts: texts.slice(sent), others: others.slice(Math.max(0, sent - texts.length)) };
        const refused = refusedNote(names.slice(sent), names.length, error);
        keep([refused, ...ofEmpty], { ...left, empty });
        throw error;
      }
    },
  });
  const unsent = client.getQueryData<ReadFiles | null>(unsentKey) ?? null;
  return {
    start: sending.mutate,
    isPending: sending.isPending,
    state,
    notes,
    sendAgain: unsent === null ? null : () => sending.mutate(async () => unsent),
    dismiss: () => keep([], null),
  };
}
