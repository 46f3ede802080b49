import type { ReactNode } from "react";
import { useEffect } from "react";
import styles from "./page-header.module.css";

/** The heading of a page with its actions. Also sets the title of the window. */
export function PageHeader({
  title,
  windowTitle = title,
  badge,
  description,
  children,
}: {
  readonly title: string;
  /** Default: the title. */
  readonly windowTitle?: string;
  /** Shown next to the title. */
  readonly badge?: ReactNode;
  readonly description?: string;
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${windowTitle} · Knowledge Context`;
  }, [windowTitle]);
  return (
    <div className={styles.header}>
      <div className={styles.words}>
        <div className={styles.title}>
          <h1 dir="auto">{title}</h1>
          {badge}
        </div>
        {description !== undefined && <p>{description}</p>}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
