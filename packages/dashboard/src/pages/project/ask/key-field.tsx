import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import fieldStyles from "../../../components/field.module.css";
import selectStyles from "../../../components/select.module.css";

/** Input for a metadata key. Suggests known keys and accepts any other. */
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
      <Input className={fieldStyles.input ?? ""} placeholder="Key, for example year" maxLength={64} />
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
