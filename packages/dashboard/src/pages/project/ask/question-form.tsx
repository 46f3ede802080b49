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
  /** Ids; none for all documents. */
  readonly documents: readonly string[];
  readonly conditions: readonly Condition[];
  readonly isExplained: boolean;
}

const modes = [
  { value: "static", label: "Static: one search" },
  { value: "dynamic", label: "Dynamic: step by step" },
];
const passages = { min: 1, max: 100 };

/** The question and how it is asked. Enter asks, with Ctrl or Cmd from everywhere in the form; Shift+Enter breaks the line. */
export function QuestionForm({
  projectId,
  initial,
  isPending,
  onAsk,
  onStop,
}: {
  readonly projectId: string;
  /** What stands in the form at first. */
  readonly initial: Question;
  readonly isPending: boolean;
  readonly onAsk: (question: Question) => void;
  readonly onStop: () => void;
}) {
  const [question, setQuestion] = useState(initial);
  const change = (part: Partial<Question>) => setQuestion((before) => ({ ...before, ...part }));
  const { conditions } = question;
  const isWhole =
    question.query.trim() !== "" && conditions.every((one) => conditionFault(one, conditions) === null);
  const ask = () => {
    if (isWhole && !isPending) onAsk(question);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };
  // While the event goes down: controls keep what they get from going up.
  const askByKeys = (event: KeyboardEvent) => {
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
    <form onSubmit={submit} onKeyDownCapture={askByKeys} className={styles.form}>
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
            <kbd>Enter</kbd> asks, <kbd>Shift</kbd> <kbd>Enter</kbd> breaks the line
          </span>
          {isPending ? (
            <Button onPress={onStop}>Stop</Button>
          ) : (
            <Button type="submit" variant="primary" isDisabled={!isWhole}>
              Ask
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

/** How it is searched, and in which documents. */
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
    </>
  );
}
