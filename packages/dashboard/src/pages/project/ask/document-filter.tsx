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

/** A choice of documents of the project. */
export function DocumentFilter({
  projectId,
  label,
  placeholder,
  suggested = [],
  chosen,
  onChange,
}: {
  readonly projectId: string;
  readonly label: string;
  /** While nothing is chosen. */
  readonly placeholder: string;
  /** The ids of those that are offered before a part of a name is written; by default the first ones. */
  readonly suggested?: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const [text, setText] = useState("");
  const find = useDeferredValue(text.trim());
  const { data } = useQuery(documentsQuery(projectId, { find, from: 0 }));
  const found = data?.documents.map(({ source_doc_id: id }) => id) ?? [];
  const offered = find === "" && suggested.length > 0 ? suggested : found;
  const options = offered.filter((id) => !chosen.includes(id));
  const add = (key: Key | null) => {
    if (key === null) return;
    onChange([...chosen, String(key)]);
    setText("");
  };
  return (
    <div className={styles.filter}>
      <ComboBox
        className={fieldStyles.field ?? ""}
        items={options.map((id) => ({ id }))}
        inputValue={text}
        onInputChange={setText}
        value={null}
        onChange={add}
        menuTrigger="focus"
        allowsEmptyCollection
      >
        <Label className={fieldStyles.label ?? ""}>{label}</Label>
        <Input
          className={fieldStyles.input ?? ""}
          placeholder={chosen.length === 0 ? placeholder : "Add another"}
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
