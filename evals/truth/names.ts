/** When two names count as the same. */

/** Without article, case and marks. */
export function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(?:the|an?)\s+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export const isSame = (one: string, other: string): boolean => plain(one) === plain(other);

/** Whether one name contains the other, in whole words. */
export function isNear(one: string, other: string): boolean {
  const [a, b] = [` ${plain(one)} `, ` ${plain(other)} `];
  return a.includes(b) || b.includes(a);
}
