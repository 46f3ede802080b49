import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

/** Something to be copied as it stands. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what overflows is scrolled with the keyboard. */}
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
