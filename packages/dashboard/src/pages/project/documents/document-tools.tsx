import { useCallback } from "react";
import type { StateCounts } from "../../../api/document-counts.ts";
import { ChoiceChips } from "../../../components/choice-chips.tsx";
import { counted } from "../../../components/counted.ts";
import { SearchField } from "../../../components/search-field.tsx";
import { Select } from "../../../components/select.tsx";
import { ColumnMenu } from "./column-menu.tsx";
import { stateNames } from "./document-status.tsx";
import styles from "./document-tools.module.css";
import { type DocumentsAddress, documentStates } from "./documents-address.ts";

const sorts = [
  { value: "name", label: "Name, A to Z" },
  { value: "-name", label: "Name, Z to A" },
  { value: "-updated", label: "Newest first" },
  { value: "updated", label: "Oldest first" },
] as const;

const states = [
  { id: "all" as const, label: "All" },
  ...documentStates.map((id) => ({ id, label: id === "failed" ? "Failed or cancelled" : stateNames[id] })),
];

/** What is listed and how. */
export function DocumentTools({
  address,
  keys,
  total,
  counts,
  onChange,
}: {
  readonly address: DocumentsAddress;
  /** Of metadata. */
  readonly keys: readonly string[];
  /** How many match. */
  readonly total: number;
  /** How many are in each state, as far as it is known. */
  readonly counts: StateCounts;
  readonly onChange: (address: DocumentsAddress, replace?: boolean) => void;
}) {
  const { from: _before, ...listed } = address;
  const search = useCallback(
    (text: string) => {
      const { find: _find, from: _from, ...others } = address;
      onChange(text === "" ? others : { ...others, find: text }, true);
    },
    [address, onChange],
  );
  return (
    <div className={styles.tools}>
      <div className={styles.row}>
        <SearchField label="Find by name" value={address.find ?? ""} onSearch={search} />
        <div className={styles.sort}>
          <Select
            label="Sorted by"
            isLabelHidden
            options={sorts}
            value={address.sort ?? "name"}
            onChange={(value) => onChange(sortedBy(listed, value))}
          />
        </div>
        <ColumnMenu
          keys={keys}
          chosen={address.columns ?? []}
          onChange={(columns) => {
            const { columns: _columns, ...others } = address;
            onChange(columns.length === 0 ? others : { ...others, columns });
          }}
        />
      </div>
      <ChoiceChips
        label="State"
        choices={states.map((state) => {
          const count = counts[state.id];
          return count === undefined ? state : { ...state, count };
        })}
        chosen={address.state ?? "all"}
        onChange={(state) => {
          const { state: _state, ...others } = listed;
          onChange(state === "all" ? others : { ...others, state });
        }}
      />
      <p role="status" className={styles.count}>
        {counted(total, "document")}
        {(address.find !== undefined || address.state !== undefined) && (total === 1 ? " matches" : " match")}
      </p>
    </div>
  );
}

/** An address with this order, from its beginning. */
export function sortedBy(address: DocumentsAddress, value: string): DocumentsAddress {
  const { sort: _sort, from: _from, ...others } = address;
  const sort = sorts.find((each) => each.value === value)?.value ?? "name";
  return sort === "name" ? others : { ...others, sort };
}
