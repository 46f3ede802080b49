/** The header `Content-Disposition` of a file that is downloaded. */

/** RFC 6266: a name in ASCII for old clients, and the whole one. */
export function attachment(name: string): string {
  const ascii = name.replaceAll(/[^ -~]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => {
    return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The file of something with a name that people gave it, in which no program sees a folder. */
export function attachmentOf(title: string, ending: string): string {
  const name = title.replaceAll(/[/\\:*?"<>|]|\p{Cc}/gu, "_").trim();
  return attachment(`${name === "" ? "export" : name}${ending}`);
}
