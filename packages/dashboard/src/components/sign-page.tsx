import { Network } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import styles from "./sign-page.module.css";

/** A page for users who are not signed in: a single centred card. */
export function SignPage({
  title,
  intro,
  foot,
  children,
}: {
  readonly title: string;
  readonly intro: string;
  /** Links to other pages. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Knowledge Context`;
  }, [title]);
  return (
    <main className={styles.ground}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <Network aria-hidden size={20} /> Knowledge Context
        </p>
        <h1>{title}</h1>
        <p className={styles.intro}>{intro}</p>
        {children}
        {foot !== undefined && <p className={styles.foot}>{foot}</p>}
      </div>
    </main>
  );
}
