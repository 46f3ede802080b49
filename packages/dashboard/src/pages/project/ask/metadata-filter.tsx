import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { documentsQuery } from "../../../api/documents.ts";
import { Button } from "../../../components/button.tsx";
import { byName } from "../../../components/by-name.ts";
import { Select } from "../../../components/select.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { KeyField } from "./key-field.tsx";
import styles from "./metadata-filter.module.css";
import { type Condition, conditionFault } from "./search-filter.ts";

const relations = [
  { value: "is", label: "is" },
  { value: "atLeast", label: "is at least" },
  { value: "atMost", label: "is at most" },
] as const;

const emptyCondition: Condition = { key: "", relation: "is", value: "" };
/** The limit of the service. */
const maxConditions = 32;

/** Restricts a question to documents whose metadata meets the conditions. No condition means all documents. */
export function MetadataFilter({
  projectId,
  conditions,
  onChange,
}: {
  readonly projectId: string;
  readonly conditions: readonly Condition[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}) {
  const { data } = useQuery(documentsQuery(projectId, { find: "", from: 0 }));
  const known = [...new Set(data?.documents.flatMap(({ metadata }) => Object.keys(metadata)))].sort(byName);
  const change = (at: number, part: Partial<Condition>) =>
    onChange(conditions.map((condition, place) => (place === at ? { ...condition, ...part } : condition)));
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">Only documents with this metadata</legend>
      {conditions.map((condition, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity that is stable while they are edited.
        <div key={at} className={styles.row}>
          <KeyField value={condition.key} known={known} onChange={(key) => change(at, { key })} />
          <Select
            label="Comparison"
            isLabelHidden
            options={relations}
            value={condition.relation}
            onChange={(chosen) =>
              change(at, { relation: relations.find(({ value }) => value === chosen)?.value ?? "is" })
            }
          />
          <div className={styles.value}>
            <TextField
              label="Value"
              isLabelHidden
              placeholder="Value"
              value={condition.value}
              onChange={(value) => change(at, { value })}
              {...faultOf(condition, conditions)}
            />
          </div>
          <div className={styles.remove}>
            <Button
              variant="quiet"
              size="icon"
              aria-label={`Remove the condition ${condition.key || at + 1}`}
              onPress={() => onChange(conditions.filter((_, place) => place !== at))}
            >
              <X aria-hidden size={16} />
            </Button>
          </div>
        </div>
      ))}
      {conditions.length < maxConditions && (
        <Button size="small" variant="quiet" onPress={() => onChange([...conditions, emptyCondition])}>
          <Plus aria-hidden size={14} /> Filter by metadata
        </Button>
      )}
    </fieldset>
  );
}

function faultOf(condition: Condition, all: readonly Condition[]): { readonly fault?: string } {
  const fault = conditionFault(condition, all);
  return fault === null ? {} : { fault };
}
