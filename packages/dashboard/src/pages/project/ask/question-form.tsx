import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CheckboxField } from "../../../components/checkbox-field.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { Select } from "../../../components/select.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { DocumentFilter } from "./document-filter.tsx";
import { MetadataFilter } from "./metadata-filter.tsx";
import styles from "./question-form.module.css";
import { type Condition, conditionFault } from "./search-filter.ts";

export interface Question {
  readonly query: string;
  readonly mode: "static" | "dynamic";
  readonly topK: number;
  /** Passages of one document; 0 means any number. */
  readonly maxPerDocument: number;
  /** Ids of documents; empty means all documents. */
  readonly documents: readonly string[];
  readonly conditions: readonly Condition[];
  readonly isExplained: boolean;
}

const modes = [
  { value: "static", label: "Static: one search" },
  { value: "dynamic", label: "Dynamic: step by step" },
];
const passages = { min: 1, max: 100 };

/**
 * The question and its options. Enter in the question field and Ctrl+Enter or Cmd+Enter anywhere in the form submit it;
 * Shift+Enter adds a line.
 */
export function QuestionForm({
  projectId,
  initial,
  isPending,
  onAsk,
  onStop,
}: {
  readonly projectId: string;
  /** Initial content of the form. */
  readonly initial: Question;
  readonly isPending: boolean;
  readonly onAsk: (question: Question) => void;
  readonly onStop: () => void;
}) {
  const [question, setQuestion] = useState(initial);
  const change = (part: Partial<Question>) => setQuestion((before) => ({ ...before, ...part }));
  const { conditions } = question;
  const isValid =
    question.query.trim() !== "" &&
    conditions.every((condition) => conditionFault(condition, conditions) === null);
  const ask = () => {
    if (isValid && !isPending) onAsk(question);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };
  // Handled in the capture phase, because the controls stop the propagation of key events.
  const askByShortcut = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    ask();
  };
  const askByEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <form onSubmit={submit} onKeyDownCapture={askByShortcut} className={styles.form}>
      <TextField
        label="Question"
        rows={2}
        value={question.query}
        onChange={(query) => change({ query })}
        onKeyDown={askByEnter}
        placeholder="Who founded it, and where were they born?"
        autoFocus
      />
      <Options projectId={projectId} question={question} onChange={change} />
      <div className={styles.row}>
        <CheckboxField
          label="Explain how it was found"
          isSelected={question.isExplained}
          onChange={(isExplained) => change({ isExplained })}
        />
        <div className={styles.actions}>
          <span className={styles.keys}>
            <kbd>Enter</kbd> asks, <kbd>Shift</kbd> <kbd>Enter</kbd> adds a line
          </span>
          {isPending ? (
            <Button onPress={onStop}>Stop</Button>
          ) : (
            <Button type="submit" variant="primary" isDisabled={!isValid}>
              Ask
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

/** Retrieval mode, number of passages and document filters. */
function Options({
  projectId,
  question,
  onChange,
}: {
  readonly projectId: string;
  readonly question: Question;
  readonly onChange: (part: Partial<Question>) => void;
}) {
  return (
    <>
      <div className={styles.options}>
        <Select
          label="Retrieval"
          options={modes}
          value={question.mode}
          onChange={(mode) => onChange({ mode: mode === "dynamic" ? "dynamic" : "static" })}
        />
        <div className={styles.few}>
          <NumberField
            label="Passages"
            value={question.topK}
            onChange={(topK) => onChange({ topK })}
            {...passages}
          />
        </div>
        <DocumentFilter
          projectId={projectId}
          chosen={question.documents}
          onChange={(documents) => onChange({ documents })}
        />
      </div>
      <MetadataFilter
        projectId={projectId}
        conditions={question.conditions}
        onChange={(conditions) => onChange({ conditions })}
      />
      <details className={styles.more} open={question.maxPerDocument > 0}>
        <summary>More options</summary>
        <NumberField
          label="Passages of one document"
          hint="At most so many; 0 means any number."
          value={question.maxPerDocument}
          onChange={(maxPerDocument) => onChange({ maxPerDocument })}
          min={0}
          max={passages.max}
        />
      </details>
    </>
  );
}
