import { useState } from "react";
import { TextField } from "../../../components/text-field.tsx";
import type { GivenTimes, timesFault } from "./given-times.ts";
import styles from "./time-fields.module.css";

const example = "1901 or 1901-05-09";

/** From when until when something holds. What is wrong is said once the field is left. */
export function TimeFields({
  times,
  fault,
  onChange,
}: {
  readonly times: GivenTimes;
  readonly fault: ReturnType<typeof timesFault>;
  readonly onChange: (times: GivenTimes) => void;
}) {
  const [isLeft, setLeft] = useState(false);
  const fieldOf = (end: keyof GivenTimes) => ({
    value: times[end],
    placeholder: example,
    onBlur: () => setLeft(true),
    onFocus: () => setLeft(false),
    onChange: (text: string) => onChange({ ...times, [end]: text }),
    ...(isLeft && fault?.end === end && { fault: fault.text }),
  });
  return (
    <div className={styles.times}>
      <TextField label="From (optional)" {...fieldOf("from")} />
      <TextField label="Until (optional)" {...fieldOf("until")} />
    </div>
  );
}
