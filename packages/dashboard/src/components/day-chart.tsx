import { useId, useState } from "react";
import styles from "./day-chart.module.css";
import { periodWords } from "./time-words.ts";

export interface DayValue {
  /** In the form "2031-04-09". */
  readonly date: string;
  readonly value: number;
}

const height = 100;
const barShare = 0.72;

/**
 * A bar chart with one bar per day and the total. Shows the value of the day under the pointer. A page that uses it also
 * has a table with the same data for screen readers.
 */
export function DayChart({ title, days }: { readonly title: string; readonly days: readonly DayValue[] }) {
  const id = useId();
  const [hovered, setHovered] = useState<number | null>(null);
  const highest = Math.max(1, ...days.map(({ value }) => value));
  const total = days.reduce((sum, { value }) => sum + value, 0);
  const hoveredDay = hovered === null ? undefined : days[hovered];
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption className={styles.head}>
        <span id={id} className={styles.title}>
          {title}
        </span>
        <span className={styles.total}>{(hoveredDay?.value ?? total).toLocaleString("en")}</span>
        <span className={styles.when}>
          {hoveredDay === undefined ? "in total" : periodWords(hoveredDay.date)}
        </span>
      </figcaption>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} by day, ${total.toLocaleString("en")} in total, at most ${highest.toLocaleString("en")} in a day`}
        onPointerLeave={() => setHovered(null)}
      >
        {days.map(({ date, value }, day) => {
          const size = value === 0 ? 0 : Math.max(2, (value / highest) * height);
          return (
            <g key={date} onPointerEnter={() => setHovered(day)}>
              <rect x={day} width="1" height={height} className={styles.column} />
              <rect
                x={day + (1 - barShare) / 2}
                y={height - size}
                width={barShare}
                height={size}
                className={day === hovered ? styles.hovered : styles.bar}
              />
            </g>
          );
        })}
      </svg>
      <div className={styles.axis} aria-hidden>
        <span>{periodWords(days[0]?.date ?? "")}</span>
        <span>{periodWords(days.at(-1)?.date ?? "")}</span>
      </div>
    </figure>
  );
}
