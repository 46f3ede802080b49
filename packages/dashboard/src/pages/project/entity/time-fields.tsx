import { useState } from "react";
import { TextField } from "../../../components/text-field.tsx";
import { type GivenTimes, timeForms, type timesFault } from "./given-times.ts";
import styles from "./time-fields.module.css";

/** From when until when something holds. What is wrong with one is said while it is not being written. */
export function TimeFields({
  times,
  fault,
  onChange,
}: {
  readonly times: GivenTimes;
  readonly fault: ReturnType<typeof timesFault>;
  readonly onChange: (times: GivenTimes) => void;
}) {
  const [written, setWritten] = useState<keyof GivenTimes | null>(null);
  const fieldOf = (end: keyof GivenTimes) => ({
    value: times[end],
    placeholder: timeForms,
    onFocus: () => setWritten(end),
    onBlur: () => setWritten(null),
    onChange: (text: string) => onChange({ ...times, [end]: text }),
    ...(written !== end && fault?.end === end && { fault: fault.text }),
  });
  return (
    <div className={styles.times}>
      <TextField label="From (optional)" {...fieldOf("from")} />
      <TextField label="Until (optional)" {...fieldOf("until")} />
    </div>
  );
}
