/** Schemas of arguments that several tools share. */
import { z } from "zod";
import { inline } from "./text.ts";

/**
 * The arguments of a tool. An unknown one is refused, because ignoring a misspelt
 * argument would change the result silently.
 */
export function argumentsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown argument ${issue.keys
            .slice(0, 5)
            .map((key) => inline(key.slice(0, 40)))
            .join(", ")}, expected ${Object.keys(shape).join(", ") || "none"}`
        : undefined,
  });
}

/**
 * Makes a nullable member of the contract optional. The model's schema does
 * not offer null, only leaving it out.
 */
export function optionalOf<Schema extends z.ZodType>(schema: Schema, description: string) {
  return z
    .unknown()
    .optional()
    .transform((value): unknown => value ?? null)
    .pipe(schema)
    .meta({ ...schema.meta(), description });
}

const MAX_ID_CHARACTERS = 200;
const TOO_LONG = { error: `has more than ${MAX_ID_CHARACTERS} characters` };
const MAX_OFFSET = 10_000;

/** An id that this service assigned, so it is short. */
function idField(description: string) {
  const error = ({ input }: { readonly input?: unknown }) =>
    `${input === undefined ? "is missing" : `got ${kindOf(input)}, expected a string`}: ${description}`;
  return z
    .string({ error })
    .min(1, { error: `is empty: ${description}` })
    .max(MAX_ID_CHARACTERS, TOO_LONG)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), { error: "has characters that no id has" })
    .describe(description);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}

export const projectIdField = idField('Id of the project ("prj_…"), from list_projects.');
export const jobIdField = idField('Id of the job ("job_…"), from ingest_text, ingest_url or ingest_file.');
export const chunkIdField = idField('Id of the chunk ("12.0"), from query or get_entity.');
export const correctionIdField = idField('Id of the correction ("cor_…"), from list_corrections.');
export const entityIdField = idField("Id of the entity, from search_entities or get_entity.");

export function searchField(description: string) {
  return z
    .string({ error: ({ input }) => `got ${kindOf(input)}, expected a string` })
    .max(MAX_ID_CHARACTERS, TOO_LONG)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), {
      error: "has characters that no text has",
    })
    .optional()
    .describe(description);
}

export function integerField({ min, max }: { readonly min: number; readonly max: number }) {
  const error = ({ input }: { readonly input?: unknown }) =>
    `got ${typeof input === "number" ? input : kindOf(input)}, expected an integer from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

export function limitField({ max, fallback }: { readonly max: number; readonly fallback: number }) {
  return integerField({ min: 1, max })
    .default(fallback)
    .describe(`Maximum number of items, 1 to ${max} (default ${fallback}).`);
}

export const offsetField = integerField({ min: 0, max: MAX_OFFSET })
  .default(0)
  .describe(
    "Number of items to skip (default 0). If there are more items, the result gives the next offset.",
  );

/** Of a page as JSON: clients may call eight tools at once, and each result has its content twice, also as text. */
export const PAGE_CHARACTERS = 256 * 1024;

export const nextOffsetField = z
  .int()
  .nullable()
  .describe("The offset of the next page; null on the last page.");
