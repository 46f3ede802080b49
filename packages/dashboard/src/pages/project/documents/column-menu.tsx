import { Check, Columns3 } from "lucide-react";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Button } from "../../../components/button.tsx";
import selectStyles from "../../../components/select.module.css";
import { metadataLabel } from "../document/own-metadata.ts";

/** Chooses the keys of metadata that have a column. */
export function ColumnMenu({
  keys,
  chosen,
  onChange,
}: {
  /** All that there are. */
  readonly keys: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  if (keys.length === 0) return null;
  return (
    <MenuTrigger>
      <Button>
        <Columns3 aria-hidden size={16} /> Columns
      </Button>
      <Popover className={selectStyles.popover ?? ""} placement="bottom end">
        <Menu
          aria-label="Columns of metadata"
          selectionMode="multiple"
          selectedKeys={chosen}
          onSelectionChange={(selected) => {
            const has = (key: string) => selected === "all" || selected.has(key);
            onChange([...chosen.filter(has), ...keys.filter((key) => has(key) && !chosen.includes(key))]);
          }}
          className={selectStyles.list ?? ""}
        >
          {keys.map((key) => (
            <MenuItem
              key={key}
              id={key}
              textValue={metadataLabel(key, keys)}
              className={selectStyles.option ?? ""}
            >
              <bdi>{metadataLabel(key, keys)}</bdi>
              <Check aria-hidden size={16} className={selectStyles.check ?? ""} />
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
