import type { ReactNode } from "react";
import { useEffect } from "react";
import styles from "./page-header.module.css";

/** The page's name, also in the window's title, and what can be done here. */
export function PageHeader({
  title,
  description,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Knowledge Context`;
  }, [title]);
  return (
    <div className={styles.header}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {description !== undefined && <p>{description}</p>}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
