import { z } from "zod";

/** ISO 8601 in UTC. */
export const time = z.iso.datetime();
export const count = z.int().min(0);
/** A calendar day in UTC: "2031-04-09". */
export const day = z.iso.date();

/** Where a chunk stands in its file: the page of its beginning and the section of all of it, in an answer those of the first sentence of it that the summary quotes; absent where the document has no file, or this no page or section. */
export const filePlace = {
  /** From 1. */
  page: z.int().min(1).optional(),
  /** Title and section, as "Manual > Pumps". */
  section: z.string().optional(),
};
