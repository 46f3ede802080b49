import { type ReactNode, useId } from "react";
import styles from "./section.module.css";

/** A part of a page with its own heading. */
export function Section({
  title,
  description,
  action,
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  /** Shown to the right of the heading. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 id={id} dir="auto">
            {title}
          </h2>
          {description !== undefined && <p>{description}</p>}
        </div>
        {action !== undefined && <div className={styles.action}>{action}</div>}
      </div>
      {children}
    </section>
  );
}
