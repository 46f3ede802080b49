import { Download } from "lucide-react";
import styles from "./download-links.module.css";

export interface DownloadLink {
  readonly label: string;
  readonly href: string;
  /** Default: the name that the service gives. */
  readonly name?: string;
}

/** Links, so that the browser streams the file to disk, whatever its size. */
export function DownloadLinks({ links }: { readonly links: readonly DownloadLink[] }) {
  return (
    <ul className={styles.files}>
      {links.map(({ label, href, name = true }) => (
        <li key={href}>
          <a className={styles.file} href={href} download={name}>
            <Download aria-hidden size={14} /> {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
