import { Notice } from "../../components/notice.tsx";
import styles from "./schema-checks.module.css";

const maxShownFaults = 8;

/** Lists the faults that the service found. Each one links to its place in the text. */
export function SchemaChecks({
  faults,
  count,
  onShow,
}: {
  readonly faults: readonly string[];
  /** Total number; the service returns only the first few. */
  readonly count: number;
  readonly onShow: (fault: string) => void;
}) {
  if (faults.length === 0) return null;
  const shown = faults.slice(0, maxShownFaults);
  return (
    <Notice kind="warn">
      <p className={styles.title}>{count === 1 ? "One fault" : `${count.toLocaleString("en")} faults`}</p>
      <ul className={styles.faults}>
        {shown.map((fault) => {
          const { place, message } = partsOf(fault);
          return (
            <li key={fault}>
              {place !== "" && (
                <button type="button" className={styles.place} onClick={() => onShow(fault)}>
                  <code>{place}</code>
                </button>
              )}{" "}
              {message}
            </li>
          );
        })}
        {count > shown.length && <li>And {(count - shown.length).toLocaleString("en")} more.</li>}
      </ul>
    </Notice>
  );
}

/** Splits `place: what, expected …`. Quoted names in a place may contain colons. */
function partsOf(fault: string): { readonly place: string; readonly message: string } {
  const place = /^(schema(?:[^":]|"(?:[^"\\]|\\.)*")*): /.exec(fault)?.[1] ?? "";
  return { place, message: place === "" ? fault : fault.slice(place.length + 2) };
}
