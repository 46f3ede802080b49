import styles from "./type-mark.module.css";
import { outlines, signOf } from "./type-sign.ts";
import { useDark } from "./use-dark.ts";
import { useTypeSlots } from "./use-type-slots.ts";

/** The colour and shape of a type, as in the drawing. */
export function TypeMark({ type }: { readonly type: string }) {
  const { colour, shape } = signOf(type, useDark(), useTypeSlots());
  return (
    <svg viewBox="0 0 16 16" className={styles.mark} aria-hidden>
      <path d={outlines[shape]} fill={colour} />
    </svg>
  );
}
