import { Link } from "@tanstack/react-router";
import { ChevronRight, ChevronsUpDown } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { CopyButton } from "../components/copy-button.tsx";
import { patient } from "./patient-import.ts";
import styles from "./project-switcher.module.css";

const ProjectMenu = lazy(
  patient(async () => ({ default: (await import("./project-menu.tsx")).ProjectMenu })),
);

/** Where a page is: projects, the project, which can be changed here, and the page. */
export function ProjectCrumbs({
  project: { project_id: id, name },
  place,
  page,
  subject,
}: {
  readonly project: { readonly project_id: string; readonly name: string };
  /** Of the current page, below the project: the same page of another project. "" for the overview. */
  readonly place: string;
  /** null: the overview, or a page without a name. */
  readonly page: { readonly to: string; readonly label: string } | null;
  /** What of the page is open; null for nothing. */
  readonly subject: string | null;
}) {
  return (
    <nav aria-label="Breadcrumbs" className={styles.crumbs}>
      <ol>
        <li>
          <Link to="/projects">Projects</Link>
          <ChevronRight aria-hidden size={14} />
        </li>
        <li className={styles.project}>
          <Link to="/projects/$projectId" params={{ projectId: id }} dir="auto">
            {name}
          </Link>
          <Switcher current={id} place={place} />
          {page !== null && <ChevronRight aria-hidden size={14} />}
        </li>
        {page !== null &&
          (subject === null ? (
            <li aria-current="page" className={styles.page}>
              {page.label}
            </li>
          ) : (
            <>
              <li className={styles.page}>
                <Link to={page.to} params={{ projectId: id }} search={{}}>
                  {page.label}
                </Link>
                <ChevronRight aria-hidden size={14} />
              </li>
              <li
                aria-current="page"
                className={`${styles.page} ${styles.subject}`}
                dir="auto"
                title={subject}
              >
                {subject}
              </li>
            </>
          ))}
      </ol>
      <span className={styles.id}>
        <CopyButton text={id} label="Copy id" isQuiet />
      </span>
    </nav>
  );
}

function Switcher({ current, place }: { readonly current: string; readonly place: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        ref={button}
        className={styles.switch}
        aria-label="Switch project"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronsUpDown aria-hidden size={14} />
      </button>
      {isOpen && (
        <Suspense>
          <ProjectMenu button={button} current={current} place={place} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
