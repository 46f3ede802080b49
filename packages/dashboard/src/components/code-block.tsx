import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

/** A text with a button that copies it. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: overflowing text must be scrollable with the keyboard. */}
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
