import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import fieldStyles from "../../../components/field.module.css";
import selectStyles from "../../../components/select.module.css";

/** A key of metadata: one that documents are known to have, or any other. */
export function KeyField({
  value,
  known,
  onChange,
}: {
  readonly value: string;
  readonly known: readonly string[];
  readonly onChange: (key: string) => void;
}) {
  return (
    <ComboBox
      className={fieldStyles.field ?? ""}
      items={known.filter((key) => key.includes(value)).map((id) => ({ id }))}
      inputValue={value}
      onInputChange={onChange}
      allowsCustomValue
      menuTrigger="focus"
    >
      <Label className="visually-hidden">Key</Label>
      <Input className={fieldStyles.input ?? ""} placeholder="Key, like year" maxLength={64} />
      <Popover className={selectStyles.popover ?? ""}>
        <ListBox className={selectStyles.list ?? ""}>
          {({ id }: { readonly id: string }) => (
            <ListBoxItem id={id} textValue={id} className={selectStyles.option ?? ""}>
              {id}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
