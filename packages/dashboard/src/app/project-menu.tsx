import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check } from "lucide-react";
import type { RefObject } from "react";
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Popover,
  SearchField,
  useFilter,
} from "react-aria-components";
import { projectsQuery } from "../api/projects.ts";
import fieldStyles from "../components/field.module.css";
import selectStyles from "../components/select.module.css";
import styles from "./project-switcher.module.css";

/** Leads to the same page of another project. Open as long as it is rendered. */
export function ProjectMenu({
  button,
  current,
  place,
  onClose,
}: {
  /** Below it the menu opens. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly current: string;
  /** Of the page, below the project. */
  readonly place: string;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const { data } = useQuery(projectsQuery);
  const { contains } = useFilter({ sensitivity: "base" });
  const projects = data?.projects ?? [];
  const go = (id: string) => {
    onClose();
    const project = projects.find(({ project_id: each }) => each === id);
    // A project without a graph has no such page.
    const isThere = place !== "graph" || project?.mode === "kg_vector";
    void navigate({ to: `/projects/${id}${isThere && place !== "" ? `/${place}` : ""}` });
  };
  return (
    <Popover
      triggerRef={button}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={`${selectStyles.popover} ${styles.popover}`}
      placement="bottom start"
    >
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
  );
}
