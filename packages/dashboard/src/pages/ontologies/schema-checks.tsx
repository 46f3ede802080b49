import { Notice } from "../../components/notice.tsx";
import styles from "./schema-checks.module.css";

const shownFaults = 8;

/** The service's own words; each fault leads to its place in the text. */
export function SchemaChecks({
  faults,
  count,
  onShow,
}: {
  readonly faults: readonly string[];
  /** All of them: the service tells the first few. */
  readonly count: number;
  readonly onShow: (fault: string) => void;
}) {
  if (faults.length === 0) return null;
  const shown = faults.slice(0, shownFaults);
  return (
    <Notice kind="warn">
      <p className={styles.title}>{count === 1 ? "One fault" : `${count.toLocaleString("en")} faults`}</p>
      <ul className={styles.faults}>
        {shown.map((fault) => {
          const { place, words } = partsOf(fault);
          return (
            <li key={fault}>
              {place !== "" && (
                <button type="button" className={styles.place} onClick={() => onShow(fault)}>
                  <code>{place}</code>
                </button>
              )}{" "}
              {words}
            </li>
          );
        })}
        {count > shown.length && <li>And {(count - shown.length).toLocaleString("en")} more.</li>}
      </ul>
    </Notice>
  );
}

/** `place: what, expected …`; quotes in places may have colons. */
function partsOf(fault: string): { readonly place: string; readonly words: string } {
  const place = /^schema(?:[^":]|"(?:[^"\\]|\\.)*")*(?=: )/.exec(fault)?.[0] ?? "";
  return { place, words: place === "" ? fault : fault.slice(place.length + 2) };
}
