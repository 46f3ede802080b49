import { Link } from "@tanstack/react-router";
import listStyles from "../../../components/list.module.css";
import styles from "./evidence-list.module.css";
import { QuotedText } from "./quoted-text.tsx";

export interface EvidenceItem {
  readonly chunk_id: string;
  readonly source_doc_id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Literal quotes from documents. */
export function EvidenceList({
  projectId,
  items,
  isShort = false,
}: {
  readonly projectId: string;
  readonly items: readonly EvidenceItem[];
  /** Of long quotes the first lines. */
  readonly isShort?: boolean;
}) {
  if (items.length === 0) return <p className={styles.none}>Its documents are being updated.</p>;
  return (
    <ul className={listStyles.list}>
      {items.map(({ chunk_id: id, source_doc_id: name, start, end, text }) => (
        <li key={`${id}/${start}`}>
          <blockquote className={`${styles.quote} ${isShort ? styles.short : ""}`} dir="auto">
            <QuotedText projectId={projectId} quote={{ source_doc_id: name, start, text }} />
          </blockquote>
          <Link
            to="/projects/$projectId/document"
            params={{ projectId }}
            search={{ id: name, chunk: id, mark: `${start}-${end}` }}
            className={styles.source ?? ""}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
