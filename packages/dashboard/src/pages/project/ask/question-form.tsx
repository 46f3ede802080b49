import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Select } from "../../../components/select.tsx";
import { TextField } from "../../../components/text-field.tsx";
import styles from "./question-form.module.css";

export interface Asked {
  readonly query: string;
  readonly mode: "static" | "dynamic";
}

const modes = [
  { value: "static", label: "Static: at once" },
  { value: "dynamic", label: "Dynamic: step by step" },
];

export function QuestionForm({
  initial,
  isPending,
  onAsk,
}: {
  /** What stands in the field at first. */
  readonly initial: string;
  readonly isPending: boolean;
  readonly onAsk: (asked: Asked) => void;
}) {
  const [query, setQuery] = useState(initial);
  const [mode, setMode] = useState<Asked["mode"]>("static");
  const ask = () => query.trim() !== "" && onAsk({ query, mode });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    ask();
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextField
        label="Question"
        rows={2}
        value={query}
        onChange={setQuery}
        onKeyDown={onKeyDown}
        placeholder="Who founded it, and where were they born?"
        autoFocus
      />
      <div className={styles.row}>
        <Select
          label="Retrieval"
          options={modes}
          value={mode}
          onChange={(value) => setMode(value === "dynamic" ? "dynamic" : "static")}
        />
        <Button type="submit" variant="primary" isPending={isPending}>
          Ask
        </Button>
      </div>
    </form>
  );
}
