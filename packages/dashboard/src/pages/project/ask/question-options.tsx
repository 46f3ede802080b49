import { NumberField } from "../../../components/number-field.tsx";
import { Select } from "../../../components/select.tsx";
import { passageLimits, type Question } from "./ask-address.ts";
import { DocumentFilter } from "./document-filter.tsx";
import { MetadataFilter } from "./metadata-filter.tsx";
import styles from "./question-form.module.css";

const modes = [
  { value: "static", label: "One search (static)" },
  { value: "dynamic", label: "Step by step (dynamic)" },
];

/** How a question is asked, and of what. */
export function QuestionOptions({
  projectId,
  question,
  onChange,
}: {
  readonly projectId: string;
  readonly question: Question;
  readonly onChange: (part: Partial<Question>) => void;
}) {
  return (
    <div className={styles.controls}>
      <div className={styles.row}>
        <Select
          label="Retrieval"
          options={modes}
          value={question.mode}
          onChange={(mode) => onChange({ mode: mode === "dynamic" ? "dynamic" : "static" })}
        />
        <NumberField
          label="Passages"
          value={question.topK}
          onChange={(topK) => onChange({ topK })}
          min={passageLimits.min}
          max={passageLimits.max}
        />
        <NumberField
          label="Per document"
          hint="0: no limit"
          value={question.maxPerDocument}
          onChange={(maxPerDocument) => onChange({ maxPerDocument })}
          min={0}
          max={passageLimits.max}
        />
      </div>
      <DocumentFilter
        projectId={projectId}
        label="Only in these documents"
        placeholder="All; type a part of a name to select"
        chosen={question.documents}
        onChange={(documents) => onChange({ documents })}
      />
      <MetadataFilter
        projectId={projectId}
        conditions={question.conditions}
        onChange={(conditions) => onChange({ conditions })}
      />
    </div>
  );
}
