import type { Document } from "@kcs/sdk";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { serviceUrl } from "../../api/address.ts";
import { documentPath } from "../../api/deletions.ts";
import { documentQuery } from "../../api/documents.ts";
import { projectQuery } from "../../api/projects.ts";
import { Button } from "../../components/button.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { byteSize } from "../../components/byte-size.ts";
import { Facts } from "../../components/facts.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { MetadataValue } from "../../components/metadata-value.tsx";
import { Notice } from "../../components/notice.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { Pager } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import { adviceOf } from "../../jobs/advice.ts";
import { ChunkedText, type TextPlace } from "./document/chunked-text.tsx";
import { DocumentEntities, documentEntitiesQuery } from "./document/document-entities.tsx";
import { FilePages } from "./document/file-pages.tsx";
import { metadataLabel } from "./document/own-metadata.ts";
import { ReplaceFile } from "./document/replace-file.tsx";
import { textFileName } from "./document/text-file-name.ts";
import { chosenChunk } from "./document/text-runs.ts";
import styles from "./document.module.css";
import { DocumentStatus } from "./documents/document-status.tsx";
import { useDocumentDeletion } from "./documents/use-document-deletion.ts";
import { download } from "./graph/picture-files.ts";

const route = "/signed-in/projects/$projectId/document";
/** Showing more chunks at once would make a long document slow to scroll. */
const chunksPerPage = 200;

/** A document: its properties and its text with highlighted chunks. */
export function DocumentPage() {
  const { projectId } = useParams({ from: route });
  const { id, chunk, mark } = useSearch({ from: route });
  const navigate = useNavigate();
  const { data: document, error } = useQuery(documentQuery(projectId, id));
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const state = project.mode === "kg_vector" ? readState(document) : null;
  const areEntitiesThere = useAreEntitiesThere(projectId, document, state);
  // A chosen chunk is scrolled to, whatever comes above it.
  const isTextShown = areEntitiesThere || chunk !== undefined || mark !== undefined;
  const schedule = useDocumentDeletion(projectId);
  const { history } = useRouter();
  const { isFromAnswer } = useLocation().state;
  const [fault, setFault] = useState<Error | null>(null);
  if (error !== null) return <PageFault error={error} />;
  if (document === undefined) return <PageSkeleton />;
  const remove = () => {
    schedule([id]);
    void navigate({ to: "/projects/$projectId/documents", params: { projectId } });
  };
  return (
    <div className={styles.page}>
      <p>
        <Link to="/projects/$projectId/documents" params={{ projectId }}>
          All documents
        </Link>
        {isFromAnswer === true && (
          <>
            {" · "}
            <button type="button" className={styles.back} onClick={() => history.back()}>
              Back to the answer
            </button>
          </>
        )}
      </p>
      <Section
        title={document.source_doc_id}
        action={
          <div className={styles.actions}>
            <DownloadText document={document} />
            {isOfFile(document) && !isBeingRead(document) && (
              <ReplaceFile projectId={projectId} document={document} onFault={setFault} />
            )}
            {document.status === "failed" && !isOfFile(document) && (
              <ButtonLink
                to="/projects/$projectId/ingest"
                params={{ projectId }}
                search={{ name: id }}
                variant="primary"
              >
                Send it again
              </ButtonLink>
            )}
            <Button variant="danger" onPress={remove}>
              Delete
            </Button>
          </div>
        }
      >
        <FaultNotice error={fault} />
        <Facts items={factsOf(projectId, document)} isDense />
      </Section>
      {state !== null && (
        <DocumentEntities
          projectId={projectId}
          id={id}
          isBeingRead={isBeingRead(document)}
          text={document.text}
          state={state}
        />
      )}
      {isTextShown && (
        <>
          <FilePages
            key={`${id} ${chunk} ${mark} ${document.updated_at}`}
            projectId={projectId}
            document={document}
            chosen={chunk ?? null}
            marked={placeIn(mark)}
          />
          <DocumentText
            key={`${id} ${document.updated_at}`}
            document={document}
            chosen={chunk ?? null}
            marked={placeIn(mark)}
          />
        </>
      )}
    </div>
  );
}

/** Changes when what is known of a document may have changed; null where nothing can be known of it. */
function readState(document: Document | undefined): string | null {
  if (document === undefined || (document.text === null && !isBeingRead(document))) return null;
  return `${document.status} ${document.updated_at}`;
}

/** The text waits for what stands above it at first, so that it does not move down. `state`: null where that is nothing. */
function useAreEntitiesThere(
  projectId: string,
  document: Document | undefined,
  state: string | null,
): boolean {
  const id = document?.source_doc_id ?? "";
  const { isPending, failureCount } = useQuery({
    ...documentEntitiesQuery(projectId, id, state ?? ""),
    enabled: state !== null,
  });
  const settled = useRef("");
  if (state === null || !isPending || failureCount > 0) settled.current = id;
  return settled.current === id;
}

function isBeingRead({ status }: Pick<Document, "status">): boolean {
  return status === "pending" || status === "running";
}

/** Of a text file nothing is kept but its name. */
function isOfFile({ source_doc_id: id, file }: Document): boolean {
  return file !== undefined || /\.[a-z]\w{0,4}$/i.test(id);
}

/** "120-180" as a place in the text; null for none. */
function placeIn(mark: string | undefined): TextPlace | null {
  const [start, end] = mark?.split("-").map(Number) ?? [];
  return start === undefined || end === undefined || start >= end ? null : { start, end };
}

function factsOf(projectId: string, document: Document) {
  const { file } = document;
  return [
    { label: "State", value: <DocumentStatus document={document} isShort={document.text === null} /> },
    { label: "Chunks", value: document.chunks.length.toLocaleString("en") },
    { label: "Text size", value: byteSize(document.bytes) },
    ...(file === undefined
      ? []
      : [{ label: "File", value: <FileLink projectId={projectId} document={document} file={file} /> }]),
    { label: "Updated", value: <Time at={document.updated_at} /> },
    ...Object.entries(document.metadata).map(([key, value], _at, all) => ({
      label: metadataLabel(
        key,
        all.map(([each]) => each),
      ),
      value: <MetadataValue value={value} />,
    })),
  ];
}

function FileLink({
  projectId,
  document: { source_doc_id: id },
  file,
}: {
  readonly projectId: string;
  readonly document: Document;
  readonly file: NonNullable<Document["file"]>;
}) {
  return (
    <a href={serviceUrl(`${documentPath(projectId, id)}/file`)} download>
      {file.name} ({byteSize(file.bytes)})
    </a>
  );
}

/** The text as questions see it, also of a file. */
function DownloadText({ document: { source_doc_id: id, text, file } }: { readonly document: Document }) {
  if (text === null) return null;
  const save = () =>
    download(new Blob([text], { type: "text/plain;charset=utf-8" }), textFileName(id, file !== undefined));
  return (
    <Button onPress={save}>
      <Download aria-hidden size={16} /> Download the text
    </Button>
  );
}

function DocumentText({
  document,
  chosen,
  marked,
}: {
  readonly document: Document;
  readonly chosen: string | null;
  readonly marked: TextPlace | null;
}) {
  const { text, chunks } = document;
  const chosenAt = Math.max(0, chosenChunk(chunks, { chosen, marked }));
  const [first, setFirst] = useState(chosenAt - (chosenAt % chunksPerPage));
  if (text === null)
    return isBeingRead(document) ? (
      <Notice>It is being read.</Notice>
    ) : (
      <Notice kind={document.error_message === null ? "plain" : "warn"}>
        Nothing was read from it.{document.error_message !== null && ` ${adviceOf(document.error_message)}`}
      </Notice>
    );
  const after = Math.min(chunks.length, first + chunksPerPage);
  return (
    <Section
      title="Text"
      description={
        chunks.length === 0
          ? "It has not been split into chunks yet."
          : "Each shade marks one chunk, the unit that is embedded, found and quoted. A warm shade marks an overlap."
      }
    >
      <ChunkedText text={text} chunks={chunks} shown={{ first, after }} chosen={chosen} marked={marked} />
      <Pager
        from={first}
        shown={after - first}
        pageSize={chunksPerPage}
        total={chunks.length}
        onChange={setFirst}
      />
    </Section>
  );
}
