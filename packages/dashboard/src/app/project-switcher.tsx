import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Check, ChevronRight, ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import {
  Autocomplete,
  Button,
  Dialog,
  DialogTrigger,
  Input,
  Menu,
  MenuItem,
  Popover,
  SearchField,
  useFilter,
} from "react-aria-components";
import { projectsQuery } from "../api/projects.ts";
import { CopyButton } from "../components/copy-button.tsx";
import fieldStyles from "../components/field.module.css";
import selectStyles from "../components/select.module.css";
import styles from "./project-switcher.module.css";

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
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...projectsQuery, enabled: isOpen });
  const { contains } = useFilter({ sensitivity: "base" });
  const projects = data?.projects ?? [];
  const go = (id: string) => {
    setOpen(false);
    const project = projects.find(({ project_id: each }) => each === id);
    // A project without a graph has no such page.
    const isThere = place !== "graph" || project?.mode === "kg_vector";
    void navigate({ to: `/projects/${id}${isThere && place !== "" ? `/${place}` : ""}` });
  };
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className={styles.switch ?? ""} aria-label="Switch project">
        <ChevronsUpDown aria-hidden size={14} />
      </Button>
      <Popover className={`${selectStyles.popover} ${styles.popover}`} placement="bottom start">
        <Dialog aria-label="Switch project" className={styles.dialog ?? ""}>
          <Autocomplete filter={contains}>
            <SearchField aria-label="Find a project" autoFocus>
              <Input className={fieldStyles.input ?? ""} placeholder="Find a project" dir="auto" />
            </SearchField>
            <Menu
              aria-label="Projects"
              items={projects}
              className={`${selectStyles.list} ${styles.list}`}
              onAction={(id) => go(String(id))}
              renderEmptyState={() => <p className={styles.none}>No project with this name.</p>}
            >
              {({ project_id: id, name }) => (
                <MenuItem id={id} textValue={name} className={selectStyles.option ?? ""}>
                  <bdi className={styles.name}>{name}</bdi>
                  {id === current && <Check aria-label="This one" size={16} />}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
