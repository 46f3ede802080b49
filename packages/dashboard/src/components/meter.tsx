import type { ReactNode } from "react";
import { Meter as AriaMeter, Label } from "react-aria-components";
import styles from "./meter.module.css";

const nearlyFull = 0.85;

/** Shows the used share of a limit. `limit` null: there is none, so there is no share. */
export function Meter({
  label,
  used,
  limit,
  format,
}: {
  readonly label: string;
  readonly used: number;
  readonly limit: number | null;
  readonly format: (value: number) => string;
}) {
  if (limit === null)
    return (
      <div className={styles.meter}>
        <span className={styles.label}>{label}</span>
        <Amount used={format(used)}>no limit</Amount>
      </div>
    );
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const state = share >= 1 ? styles.full : share >= nearlyFull ? styles.near : styles.room;
  const limitText = `of ${format(limit)}`;
  return (
    <AriaMeter
      className={styles.meter ?? ""}
      value={Math.round(100 * share)}
      valueLabel={`${format(used)} ${limitText}`}
    >
      <Label className={styles.label ?? ""}>{label}</Label>
      <Amount used={format(used)}>{limitText}</Amount>
      <svg className={styles.track} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
        <rect width={100 * share} height="4" className={state} />
      </svg>
    </AriaMeter>
  );
}

function Amount({ used, children }: { readonly used: string; readonly children: ReactNode }) {
  return (
    <span className={styles.value}>
      <strong>{used}</strong> {children}
    </span>
  );
}
