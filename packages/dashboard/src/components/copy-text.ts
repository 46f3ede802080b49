/**
 * Copies a text to the clipboard. Where the browser has no clipboard for pages (without HTTPS, other than on this machine), it copies a
 * selection.
 * @throws Error when the browser refuses both
 */
export async function copyText(text: string): Promise<void> {
  // Not there without HTTPS, whatever its type says.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("The browser does not allow copying.");
}
