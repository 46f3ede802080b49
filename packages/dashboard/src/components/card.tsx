import type { ReactNode } from "react";
import styles from "./card.module.css";

/** A ground for what belongs together. */
export function Card({ children }: { readonly children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}
