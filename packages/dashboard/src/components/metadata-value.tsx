import { timeWords } from "./time-words.ts";

/** A value of metadata; a time is written for people, with the value that filters compare as a tooltip. */
export function MetadataValue({ value }: { readonly value: string | number }) {
  const words = timeWords(value);
  return words === null ? (
    <bdi>{String(value)}</bdi>
  ) : (
    <time dateTime={String(value)} title={String(value)}>
      {words}
    </time>
  );
}
