/** Forms with files, made from the schema of a form: most can be read, the rest are broken in the ways that break parsers. */
import fc from "fast-check";
import { type Schema, wordsOf } from "./generate.ts";

export interface SentForm {
  readonly raw: string;
  readonly type: string;
}

const BOUNDARY = "-----a boundary";
const TYPE = `multipart/form-data; boundary="${BOUNDARY}"`;

/** What files begin with by which their type is recognised, and what no type has. */
const contents = fc.oneof(
  fc.constantFrom(
    "",
    "The quay is wide.",
    "%PDF-1.7\n%%EOF",
    "PK\u0003\u0004",
    "<!doctype html><title>Quay</title><p>It is wide.",
    "a,b\n1,2\n",
    "From: a@example.org\nSubject: Quay\n\nIt is wide.",
    "\0".repeat(300),
  ),
  fc.string({ unit: "binary", maxLength: 200 }),
);

/** The file's headers; `name` has neither line ends nor quotation marks. */
const heads = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constant(`Content-Disposition: form-data; name="files"; filename="${name}"`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "",
        "Content-Disposition: form-data",
        'Content-Disposition: attachment; filename="a"',
        `Content-Disposition: form-data; name="files"; filename*=UTF-8''%ff%00`,
        "no header",
        `Content-Disposition: form-data; name="${"n".repeat(9_000)}"`,
      ),
    },
  );

const files = fc
  .string({ unit: "grapheme", maxLength: 20 })
  .chain((name) =>
    fc
      .record({ head: heads(name.replaceAll(/["\r\n]/g, "")), content: contents })
      .map(({ head, content }) => [head, "Content-Type: application/octet-stream", "", content]),
  );

/** `fields` are those beside the files. */
export function formsOf(fields: Readonly<Record<string, Schema>>): fc.Arbitrary<SentForm> {
  const values = Object.entries(fields).map(
    ([name, schema]) => [name, fc.oneof(fc.constant('{"lang":"en"}'), wordsOf(schema, []))] as const,
  );
  const sound = fc
    .tuple(fc.array(files, { maxLength: 4 }), fc.record(Object.fromEntries(values), { requiredKeys: [] }))
    .map(([parts, given]) => textOf([...parts, ...Object.entries(given).map(fieldPart)]));
  const broken = fc.constantFrom(
    "",
    "{}",
    `--${BOUNDARY}`,
    `--${BOUNDARY}--\r\n`,
    textOf([['Content-Disposition: form-data; name="files"; filename="a"', "", "cut"]]).slice(0, -30),
    "-".repeat(3_000),
  );
  return fc.record({
    raw: fc.oneof({ weight: 8, arbitrary: sound }, { weight: 1, arbitrary: broken }),
    type: fc.oneof(
      { weight: 12, arbitrary: fc.constant(TYPE) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "multipart/form-data",
          "application/json",
          'multipart/form-data; boundary=""',
        ),
      },
    ),
  });
}

function fieldPart([name, value = ""]: [string, string | undefined]): readonly string[] {
  return [`Content-Disposition: form-data; name="${name}"`, "", value];
}

function textOf(parts: readonly (readonly string[])[]): string {
  const all = parts.map((lines) => `--${BOUNDARY}\r\n${lines.join("\r\n")}\r\n`);
  return `${all.join("")}--${BOUNDARY}--\r\n`;
}
