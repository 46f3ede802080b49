import type { ReactNode } from "react";
import { useEffect } from "react";
import styles from "./page-header.module.css";

/** The heading of a page with its actions. Also sets the title of the window. */
export function PageHeader({
  title,
  badge,
  description,
  children,
}: {
  readonly title: string;
  /** Shown next to the title. */
  readonly badge?: ReactNode;
  readonly description?: string;
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Knowledge Context`;
  }, [title]);
  return (
    <div className={styles.header}>
      <div className={styles.words}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {badge}
        </div>
        {description !== undefined && <p>{description}</p>}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
