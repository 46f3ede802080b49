import { Link } from "@tanstack/react-router";

/** The state of links from an answer to documents, which lead back to it. */
export const fromAnswer = { isFromAnswer: true } as const;

/** The id of a chunk, with a link to its place in its document if the document is known. */
export function ChunkLink({
  projectId,
  chunk_id: chunkId,
  source_doc_id: id,
}: {
  readonly projectId: string;
  readonly chunk_id: string;
  readonly source_doc_id?: string | undefined;
}) {
  if (id === undefined) return <code>{chunkId}</code>;
  return (
    <>
      <Link
        to="/projects/$projectId/document"
        state={fromAnswer}
        params={{ projectId }}
        search={{ id, chunk: chunkId }}
      >
        {id}
      </Link>{" "}
      <code>{chunkId}</code>
    </>
  );
}
