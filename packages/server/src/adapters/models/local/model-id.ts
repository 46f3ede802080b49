/** The names of local models. */
export const ID_PART = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,95}$/;

/** Whether `OWNER/NAME` or `NAME` names a folder below the models folder, and nothing outside of it. */
export function isModelId(id: string): boolean {
  const parts = id.split("/");
  return parts.length <= 2 && parts.every((part) => ID_PART.test(part));
}
