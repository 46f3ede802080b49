import styles from "./type-mark.module.css";
import { type Shape, signOf } from "./type-sign.ts";
import { useDark } from "./use-dark.ts";
import { useTypeShapes } from "./use-type-shapes.ts";

const outlines: Readonly<Record<Exclude<Shape, "circle">, string>> = {
  square: "M2.5 2.5h11v11h-11z",
  diamond: "M8 .8 15.2 8 8 15.2.8 8z",
  triangle: "M8 1.5 15 14H1z",
  hexagon: "M4.3 1.8h7.4L15.4 8l-3.7 6.2H4.3L.6 8z",
  drop: "M8 14.5 1 2h14z",
};

/** The colour and shape of a type, as in the drawing. */
export function TypeMark({ type }: { readonly type: string }) {
  const { colour, shape } = signOf(type, useDark(), useTypeShapes());
  return (
    <svg viewBox="0 0 16 16" className={styles.mark} aria-hidden>
      {shape === "circle" ? (
        <circle cx="8" cy="8" r="6.4" fill={colour} />
      ) : (
        <path d={outlines[shape]} fill={colour} />
      )}
    </svg>
  );
}
