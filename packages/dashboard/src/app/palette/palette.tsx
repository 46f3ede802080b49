import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { Autocomplete, Input, Menu, MenuItem, SearchField } from "react-aria-components";
import { projectsQuery } from "../../api/projects.ts";
import { service } from "../../api/service.ts";
import { Dialog } from "../../components/dialog.tsx";
import fieldStyles from "../../components/field.module.css";
import selectStyles from "../../components/select.module.css";
import styles from "./palette.module.css";
import { type Command, maxFound, placesFor } from "./places.ts";

/** Goes to any page, project, document or entity, asks, and does what the buttons of every page do. Opened by Ctrl+K. */
export function Palette({
  takeEarly,
  onClose,
  onCommand,
}: {
  /** What was typed before its field was there. */
  readonly takeEarly: () => string;
  readonly onClose: () => void;
  readonly onCommand: (command: Command) => void;
}) {
  const { projectId = null } = useParams({ strict: false });
  const router = useRouter();
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field has the focus.
  useEffect(() => typeInto(field.current, takeEarly()), []);
  const find = useDeferredValue(text.trim());
  const { data: listed } = useQuery(projectsQuery);
  const hasGraph = listed?.projects.some(
    ({ project_id: id, mode }) => id === projectId && mode === "kg_vector",
  );
  const { data: found } = useQuery({
    ...foundQuery(projectId ?? "", { find, hasGraph: hasGraph === true }),
    enabled: projectId !== null && listed !== undefined && find !== "",
  });
  const placesOf = (wanted: string) =>
    placesFor(wanted, {
      projects: listed?.projects ?? [],
      projectId,
      documents: wanted === "" ? [] : (found?.documents ?? []),
      entities: wanted === "" ? [] : (found?.entities ?? []),
    });
  const places = placesOf(find);
  // The list may be a letter behind what was typed.
  const placesNow = () => placesOf(text.trim());
  const go = (id: string) => {
    const place = placesNow().find((one) => one.id === id) ?? places.find((one) => one.id === id);
    if (place === undefined) return;
    onClose();
    if ("path" in place.goal) void router.navigate({ href: router.history.createHref(place.goal.path) });
    else onCommand(place.goal.command);
  };
  // Enter before a place is chosen with the arrows.
  const goToFirst = () => {
    const [first] = placesNow();
    if (first !== undefined) go(first.id);
  };
  return (
    <Dialog title="Go to" isOpen onClose={onClose} isHigh>
      {/* The field would only be emptied by the first Esc. */}
      <div onKeyDownCapture={({ key }) => key === "Escape" && onClose()}>
        <Autocomplete inputValue={text} onInputChange={setText}>
          <SearchField aria-label="Page, project, document, entity or command" autoFocus onSubmit={goToFirst}>
            <Input
              ref={field}
              className={`${fieldStyles.input} ${styles.field}`}
              dir="auto"
              placeholder="A page, document, entity or command; or a question"
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
        {find !== "" && (
          <p className={styles.hint}>
            {projectId === null
              ? "Open a project to search its documents and entities."
              : "Documents and entities are those of this project."}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** As if somebody typed it there, so that the first place is chosen as then. */
function typeInto(field: HTMLInputElement | null, text: string): void {
  if (field === null || text === "") return;
  const end = field.value.length;
  field.setRangeText(text, end, end, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
}

/** Both at once, so that what is chosen first does not change while somebody looks. */
function foundQuery(
  projectId: string,
  { find: search, hasGraph }: { readonly find: string; readonly hasGraph: boolean },
) {
  return queryOptions({
    queryKey: ["projects", projectId, "palette", search, hasGraph],
    async queryFn({ signal }) {
      const page = { search, limit: maxFound };
      const [{ documents }, { entities }] = await Promise.all([
        service.documents.list(projectId, page, { signal }),
        hasGraph ? service.graph.entities(projectId, page, { signal }) : { entities: [] },
      ]);
      return { documents, entities };
    },
    placeholderData: keepPreviousData,
  });
}
