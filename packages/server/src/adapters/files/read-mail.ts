/** E-mail: its subject, who wrote to whom and when, its text, and the names of its attachments. */
import PostalMime, { type Address, type Attachment } from "postal-mime";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import type { Markdown } from "./markdown.ts";
import { isoDate, type Properties, titleOrNull } from "./office/properties.ts";
import { readHtml } from "./web/read-html.ts";

/** Parts within parts, as forwarded messages have. */
const MAX_NESTING = 32;
/** Of the message and all its parts. */
const MAX_HEADER_BYTES = 1024 * 1024;
const TOO_DEEP = `The message has more than ${MAX_NESTING} parts within parts.`;
/** What the library says of a limit, and what is said of the file. */
const LIMITS = [
  ["nesting depth", TOO_DEEP],
  [
    "header size",
    `The headers of the message and its parts have more than ${MAX_HEADER_BYTES} bytes together.`,
  ],
] as const;
/** Addresses of each line, and attachments, that are named. */
const MAX_NAMED = 100;
const SHOWN_ONLY_IN_HTML = /<(?:s|del|strike|sup|sub)[\s>]|line-through|vertical-align:\s{0,4}su/i;

export async function readMail(bytes: Uint8Array, markdown: Markdown): Promise<Properties> {
  return await writeMail(bytes, markdown, 0);
}

/** @param depth how many messages it is in */
async function writeMail(bytes: Uint8Array, markdown: Markdown, depth: number): Promise<Properties> {
  if (depth > MAX_NESTING) throw new UnreadableFile(TOO_DEEP);
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
    attachmentEncoding: "arraybuffer",
    // The library would write their dates as the locale and the time zone of this machine have them.
    forceRfc822Attachments: true,
  }).catch((error: unknown) => {
    const limit = error instanceof Error ? LIMITS.find(([said]) => error.message.includes(said)) : undefined;
    throw limit === undefined ? error : new UnreadableFile(limit[1]);
  });
  const subject = titleOrNull(mail.subject ?? "");
  if (subject !== null) markdown.heading(depth === 0 ? 1 : 2, subject);
  const date = isoDate(mail.date ?? "");
  const lines = [
    line("From", mail.from === undefined ? [] : [mail.from]),
    line("To", mail.to ?? []),
    line("Cc", mail.cc ?? []),
    date === null ? "" : `Date: ${date.slice(0, 16).replace("T", " ")}${date.includes("T") ? " UTC" : ""}`,
  ];
  for (const text of lines) markdown.item(0, text);
  // Of a message with both, the plain text is simpler, but an empty one stands for HTML only, and it cannot strike out or raise.
  const plain = mail.text ?? "";
  if (mail.html !== undefined && (plain.trim() === "" || SHOWN_ONLY_IN_HTML.test(mail.html))) {
    readHtml(mail.html, markdown);
  } else markdown.raw(plain);
  // What a report of delivery is about is evidence, not its text.
  const isReport = mail.headers.some(
    ({ key, value }) => key === "content-type" && /^multipart\/report\b/i.test(value),
  );
  const isMessage = ({ mimeType, disposition }: Attachment) =>
    !isReport && mimeType === "message/rfc822" && disposition !== "attachment";
  const messages = mail.attachments.filter(isMessage);
  const files = mail.attachments.filter((each) => !isMessage(each));
  const names = files.map(({ filename }) => filename ?? "").filter((name) => name !== "");
  if (names.length > 0) markdown.paragraph(`Attachments: ${names.slice(0, MAX_NAMED).join(", ")}`);
  for (const { content } of messages)
    if (content instanceof ArrayBuffer) await writeMail(new Uint8Array(content), markdown, depth + 1);
  return { title: subject, date };
}

function line(label: string, addresses: readonly Address[]): string {
  const people = addresses.flatMap((address) => address.group ?? [address]).slice(0, MAX_NAMED);
  const names = people.map(({ name, address }) => {
    if (address === undefined || address === "") return name;
    return name === "" ? address : `${name} <${address}>`;
  });
  return names.length === 0 ? "" : `${label}: ${names.join(", ")}`;
}
