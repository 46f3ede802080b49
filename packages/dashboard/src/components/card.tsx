import type { ReactNode } from "react";
import styles from "./card.module.css";

/** A box with a border around related content. */
export function Card({ children }: { readonly children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}
