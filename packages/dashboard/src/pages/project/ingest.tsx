import { useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { projectQuery } from "../../api/projects.ts";
import { useRetainedState } from "../../api/use-retained-state.ts";
import { Notice } from "../../components/notice.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { BusyBar } from "../../jobs/busy-bar.tsx";
import { hasEnded } from "../../jobs/job-state.tsx";
import { useJobProgress } from "../../jobs/use-job-progress.ts";
import { FileDrop } from "./ingest/file-drop.tsx";
import type { SentJob } from "./ingest/ingest-input.ts";
import { emptyText, type PastedText, PasteForm } from "./ingest/paste-form.tsx";
import { SentDocuments } from "./ingest/sent-documents.tsx";
import { UploadNotes } from "./ingest/upload-notes.tsx";
import { emptyUrl, type GivenUrl, UrlForm } from "./ingest/url-form.tsx";
import { useSentJobs } from "./ingest/use-sent-jobs.ts";
import { useUpload } from "./ingest/use-upload.ts";
import styles from "./ingest.module.css";

const route = "/signed-in/projects/$projectId/ingest";

/** Sends texts to the service and shows the progress of their jobs. */
export function IngestPage() {
  const { projectId } = useParams({ from: route });
  /** Of a document that is to be sent again. */
  const { name = "" } = useSearch({ from: route });
  const live = useJobProgress(projectId);
  const [sent, setSent] = useState<readonly SentJob[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const onSent = (jobs: readonly SentJob[]) => {
    setFault(null);
    void queryClient.invalidateQueries(projectQuery(projectId));
    setSent((before) => [...jobs, ...before]);
  };
  const { value: pasted, change: onPaste } = useRetainedState<PastedText>(["pasted", projectId, name], {
    ...emptyText,
    name,
  });
  const { value: given, change: onGiven } = useRetainedState<GivenUrl>(["url", projectId], emptyUrl);
  const input = { projectId, onSent, onFault: setFault };
  const upload = useUpload(input);
  const jobs = useSentJobs(projectId, sent, live);
  const isFollowed = jobs.some(({ status }) => !hasEnded(status));
  return (
    <div className={styles.page}>
      {!isFollowed && <BusyBar projectId={projectId} />}
      <Tabs
        // For another document it begins anew.
        key={name}
        label="Source of the text"
        initial={pasted.text !== "" || name !== "" ? "paste" : given.url === "" ? "files" : "url"}
        tabs={[
          { id: "files", title: "Files", content: <FileDrop upload={upload} /> },
          {
            id: "paste",
            title: "Paste a text",
            content: <PasteForm {...input} pasted={pasted} onPaste={onPaste} />,
          },
          {
            id: "url",
            title: "From the web",
            content: <UrlForm {...input} given={given} onGiven={onGiven} />,
          },
        ]}
      />
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <UploadNotes upload={upload} />
      <SentDocuments
        projectId={projectId}
        jobs={jobs}
        notSent={upload.notes.reduce((sum, { count }) => sum + count, 0)}
      />
    </div>
  );
}
