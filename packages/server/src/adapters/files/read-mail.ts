/** E-mail: its subject, who wrote to whom and when, its text, and the names of its attachments. */
import PostalMime, { type Address } from "postal-mime";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import type { Markdown } from "./markdown.ts";
import { isoDate, type Properties, titleOrNull } from "./office/properties.ts";
import { readHtml } from "./web/read-html.ts";

/** Parts within parts, as forwarded messages have. */
const MAX_NESTING = 32;
/** Of the message and all its parts. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** What the library says of a limit, and what is said of the file. */
const LIMITS = [
  ["nesting depth", `The message has more than ${MAX_NESTING} parts within parts.`],
  [
    "header size",
    `The headers of the message and its parts have more than ${MAX_HEADER_BYTES} bytes together.`,
  ],
] as const;
/** Addresses of each line, and attachments, that are named. */
const MAX_NAMED = 100;
const SHOWN_ONLY_IN_HTML = /<(?:s|del|strike|sup|sub)[\s>]|line-through|vertical-align:\s{0,4}su/i;

export async function readMail(bytes: Uint8Array, markdown: Markdown): Promise<Properties> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
    attachmentEncoding: "arraybuffer",
  }).catch((error: unknown) => {
    const limit = error instanceof Error ? LIMITS.find(([said]) => error.message.includes(said)) : undefined;
    throw limit === undefined ? error : new UnreadableFile(limit[1]);
  });
  const subject = titleOrNull(mail.subject ?? "");
  if (subject !== null) markdown.heading(1, subject);
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
  const names = mail.attachments.map(({ filename }) => filename ?? "").filter((name) => name !== "");
  if (names.length > 0) markdown.paragraph(`Attachments: ${names.slice(0, MAX_NAMED).join(", ")}`);
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
