const collator = new Intl.Collator("en", { numeric: true });

/** "file2" before "file10". For lists that the page sorts; the service sorts by code points. */
export function byName(one: string, other: string): number {
  return collator.compare(one, other);
}
