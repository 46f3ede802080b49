import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { Autocomplete, Input, Menu, MenuItem, SearchField } from "react-aria-components";
import { documentsQuery } from "../../api/documents.ts";
import { projectsQuery } from "../../api/projects.ts";
import { Dialog } from "../../components/dialog.tsx";
import fieldStyles from "../../components/field.module.css";
import selectStyles from "../../components/select.module.css";
import styles from "./palette.module.css";
import { placesFor } from "./places.ts";

/** Goes to any page, project or document, and asks. Opened by Ctrl+K. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { projectId = null } = useParams({ strict: false });
  const router = useRouter();
  const [text, setText] = useState("");
  const find = useDeferredValue(text.trim());
  const { data: listed } = useQuery(projectsQuery);
  const { data: documents } = useQuery({
    ...documentsQuery(projectId ?? "", { find, from: 0 }),
    enabled: projectId !== null && find !== "",
  });
  const places = placesFor(find, {
    projects: listed?.projects ?? [],
    projectId,
    documents: find === "" ? [] : (documents?.documents ?? []),
  });
  const go = (id: string) => {
    const place = places.find((one) => one.id === id);
    if (place === undefined) return;
    onClose();
    void router.navigate({ href: router.history.createHref(place.path) });
  };
  // Enter before a place is chosen with the arrows.
  const goToFirst = () => {
    const [first] = places;
    if (first !== undefined) go(first.id);
  };
  return (
    <Dialog title="Go to" isOpen onClose={onClose}>
      {/* The field would only be emptied by the first Esc. */}
      <div onKeyDownCapture={({ key }) => key === "Escape" && onClose()}>
        <Autocomplete inputValue={text} onInputChange={setText}>
          <SearchField aria-label="Page, project or document" autoFocus onSubmit={goToFirst}>
            <Input
              className={`${fieldStyles.input} ${styles.field}`}
              dir="auto"
              placeholder="A page, project or document; or a question"
            />
          </SearchField>
          <Menu
            aria-label="Places"
            items={places}
            onAction={(id) => go(String(id))}
            className={styles.list ?? ""}
            renderEmptyState={() => <p className={styles.none}>Nothing with this name.</p>}
          >
            {({ id, label, kind }) => (
              <MenuItem id={id} textValue={label} className={selectStyles.option ?? ""}>
                <bdi className={styles.name}>{label}</bdi>
                <span className={styles.kind}>{kind}</span>
              </MenuItem>
            )}
          </Menu>
        </Autocomplete>
      </div>
    </Dialog>
  );
}
