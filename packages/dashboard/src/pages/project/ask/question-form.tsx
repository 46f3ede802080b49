import { ArrowUp, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { Label, TextArea, TextField } from "react-aria-components";
import { patient } from "../../../app/patient-import.ts";
import { whenIdle } from "../../../app/when-idle.ts";
import { Button } from "../../../components/button.tsx";
import { Folded } from "../../../components/folded.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import type { Question } from "./ask-address.ts";
import styles from "./question-form.module.css";
import { conditionFault } from "./search-filter.ts";

/** Most questions are asked without a look at them. */
const QuestionOptions = lazy(
  patient(async () => ({ default: (await import("./question-options.tsx")).QuestionOptions })),
);

/**
 * The question in one line, which grows, and its options behind a line that says them. Enter in the question and Ctrl+Enter or
 * Cmd+Enter anywhere in the form ask; Shift+Enter adds a line.
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
  const [hasOptions, setHasOptions] = useState(false);
  // Also before they are looked at: whoever opens them with a key goes on with the next one.
  useEffect(() => whenIdle(() => setHasOptions(true)), []);
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
  return (
    <form onSubmit={submit} onKeyDownCapture={askByShortcut} className={styles.form}>
      <div className={styles.line}>
        <QuestionField value={question.query} onChange={(query) => change({ query })} onEnter={ask} />
        {isPending ? (
          <Button onPress={onStop}>
            <Square aria-hidden size={14} /> Stop
          </Button>
        ) : (
          <Button type="submit" variant="primary" isDisabled={!isValid}>
            Ask <ArrowUp aria-hidden size={16} />
          </Button>
        )}
      </div>
      <Folded
        title={
          <span>
            <strong className={styles.options}>Options:</strong> {optionWords(question)}
          </span>
        }
        onToggle={() => setHasOptions(true)}
      >
        {hasOptions && (
          <Suspense fallback={<Skeleton />}>
            <QuestionOptions projectId={projectId} question={question} onChange={change} />
          </Suspense>
        )}
      </Folded>
    </form>
  );
}

/** As high as its text, up to a third of the screen. */
function QuestionField({
  value,
  onChange,
  onEnter,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnter: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useEffect(() => {
    const area = field.current;
    if (area === null) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [value]);
  const enter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <TextField value={value} onChange={onChange} className={styles.field ?? ""} autoFocus>
      <Label className="visually-hidden">Question</Label>
      <TextArea
        ref={field}
        rows={1}
        dir="auto"
        className={styles.input ?? ""}
        onKeyDown={enter}
        placeholder="Ask your documents"
      />
    </TextField>
  );
}

function optionWords({ mode, topK, maxPerDocument, documents, conditions }: Question): string {
  const restrictions = [
    ...(documents.length === 0
      ? []
      : [documents.length === 1 ? "1 document" : `${documents.length} documents`]),
    ...(conditions.length === 0 ? [] : ["metadata"]),
  ];
  return [
    mode === "dynamic" ? "Step by step" : "One search",
    topK === 1 ? "1 passage" : `${topK} passages`,
    ...(maxPerDocument === 0 ? [] : [`${maxPerDocument} of a document`]),
    restrictions.length === 0 ? "all documents" : `only ${restrictions.join(" with ")}`,
  ].join(", ");
}
