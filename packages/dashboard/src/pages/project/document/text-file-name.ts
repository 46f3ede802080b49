const ofText = /\.(?:txt|md)$/i;

/** What the text of a document is called when it is saved. Without the ending `.txt` that of a PDF would be opened as a PDF. */
export function textFileName(sourceDocId: string, isFromFile: boolean): string {
  const name = sourceDocId.split("/").findLast((step) => step !== "") ?? "text";
  const isOfText = isFromFile ? /\.txt$/i.test(name) : ofText.test(name);
  return isOfText ? name : `${name}.txt`;
}
