import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { patient } from "../../../app/patient-import.ts";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import type { PdfFile } from "./draw-pdf-page.ts";
import styles from "./pdf-view.module.css";

/** A file is whole in the browser's memory, and pdf.js has a copy. */
const MAX_BYTES = 64 * 1024 * 1024;

const loadDrawing = patient(() => import("./draw-pdf-page.ts"));

export interface PdfPlace {
  /** From 1. */
  readonly page: number;
  /** What is marked on it; "" for nothing. */
  readonly passage: string;
}

/** A page of a PDF as it is printed, with a passage marked. */
export function PdfView({
  url,
  name,
  bytes,
  version,
  place,
}: {
  readonly url: string;
  readonly name: string;
  readonly bytes: number;
  /** Another one when the file was replaced. */
  readonly version: string;
  readonly place: PdfPlace;
}) {
  const { data, error } = useQuery({
    queryKey: ["pdf", url, version, place],
    queryFn: ({ signal }) => fetchPdf(url, { place, signal }),
    enabled: bytes <= MAX_BYTES,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
  if (bytes > MAX_BYTES) return <Notice>The file is too large to be shown here. Download it instead.</Notice>;
  if (error !== null) return <Notice>The file cannot be shown: {error.message}</Notice>;
  if (data === undefined) return <p role="status">Loading {name} …</p>;
  return <Pages file={data.file} name={name} place={{ ...place, page: data.page }} />;
}

async function fetchPdf(
  url: string,
  { place, signal }: { readonly place: PdfPlace; readonly signal: AbortSignal },
): Promise<{ readonly file: PdfFile; readonly page: number }> {
  const [{ openPdf, pageOfPassage }, answer] = await Promise.all([loadDrawing(), fetch(url, { signal })]);
  if (!answer.ok) throw new Error(`the service answered ${answer.status}.`);
  const file = await openPdf(await answer.arrayBuffer());
  return { file, page: await pageOfPassage(file, place) };
}

/** To the middle of the window, for what is at this share of the height. */
function scrollTo(page: HTMLElement, share: number): void {
  const { top, height } = page.getBoundingClientRect();
  window.scrollBy({ top: top + share * height - window.innerHeight / 2 });
}

function Pages({
  file,
  name,
  place,
}: {
  readonly file: PdfFile;
  readonly name: string;
  readonly place: PdfPlace;
}) {
  const [page, setPage] = useState(place.page);
  const [isMarked, setMarked] = useState<boolean | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { passage } = place;
  useEffect(() => {
    const target = canvas.current;
    if (target === null) return;
    const ending = new AbortController();
    setFault(null);
    const draw = async () => {
      const { drawPdfPage } = await loadDrawing();
      const { signal } = ending;
      const drawn = await drawPdfPage(target, file, { page, passage, width: target.clientWidth, signal });
      if (drawn === null) return;
      setMarked(drawn.markedAt !== null);
      if (drawn.markedAt !== null) scrollTo(target, drawn.markedAt);
    };
    draw().catch((error: unknown) => setFault(error instanceof Error ? error.message : String(error)));
    return () => ending.abort();
  }, [file, page, passage]);
  return (
    <div className={styles.view}>
      <nav aria-label="Pages of the file" className={styles.bar}>
        <Button size="small" isDisabled={page <= 1} onPress={() => setPage(page - 1)}>
          Previous
        </Button>
        <span role="status">
          Page {page.toLocaleString("en")} of {file.numPages.toLocaleString("en")}
          {passage !== "" &&
            page === place.page &&
            isMarked === false &&
            " · the passage was not found on it"}
        </span>
        <Button size="small" isDisabled={page >= file.numPages} onPress={() => setPage(page + 1)}>
          Next
        </Button>
      </nav>
      {fault !== null && <Notice>This page cannot be drawn: {fault}</Notice>}
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Page ${page} of ${name}${isMarked === true ? ", with the passage marked" : ""}. Its text is below.`}
        className={styles.page}
      />
    </div>
  );
}
