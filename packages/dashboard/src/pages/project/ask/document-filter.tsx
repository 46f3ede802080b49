import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import {
  Button,
  ComboBox,
  Input,
  type Key,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Tag,
  TagGroup,
  TagList,
} from "react-aria-components";
import { documentsQuery } from "../../../api/documents.ts";
import fieldStyles from "../../../components/field.module.css";
import selectStyles from "../../../components/select.module.css";
import styles from "./document-filter.module.css";

/** Restricts a question to the chosen documents. An empty choice means all documents. */
export function DocumentFilter({
  projectId,
  chosen,
  onChange,
}: {
  readonly projectId: string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const [text, setText] = useState("");
  const find = useDeferredValue(text.trim());
  const { data } = useQuery(documentsQuery(projectId, { find, from: 0 }));
  const options = (data?.documents ?? []).filter(({ source_doc_id: id }) => !chosen.includes(id));
  const add = (key: Key | null) => {
    if (key === null) return;
    onChange([...chosen, String(key)]);
    setText("");
  };
  return (
    <div className={styles.filter}>
      <ComboBox
        className={fieldStyles.field ?? ""}
        items={options.map(({ source_doc_id: id }) => ({ id }))}
        inputValue={text}
        onInputChange={setText}
        value={null}
        onChange={add}
        menuTrigger="focus"
        allowsEmptyCollection
      >
        <Label className={fieldStyles.label ?? ""}>Only in these documents</Label>
        <Input
          className={fieldStyles.input ?? ""}
          placeholder={chosen.length === 0 ? "All; type a part of a name to select" : "Add another"}
        />
        <Popover className={selectStyles.popover ?? ""}>
          <ListBox
            className={selectStyles.list ?? ""}
            renderEmptyState={() => <p className={styles.none}>No other document with this name.</p>}
          >
            {({ id }: { readonly id: string }) => (
              <ListBoxItem id={id} textValue={id} className={selectStyles.option ?? ""}>
                <bdi className={styles.name}>{id}</bdi>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      {chosen.length > 0 && (
        <TagGroup
          aria-label="Selected documents"
          onRemove={(keys) => onChange(chosen.filter((id) => !keys.has(id)))}
        >
          <TagList className={styles.tags ?? ""}>
            {chosen.map((id) => (
              <Tag key={id} id={id} textValue={id} className={styles.tag ?? ""}>
                <bdi className={styles.name}>{id}</bdi>
                <Button slot="remove" aria-label={`Remove ${id}`} className={styles.remove ?? ""}>
                  <X aria-hidden size={12} />
                </Button>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
    </div>
  );
}
