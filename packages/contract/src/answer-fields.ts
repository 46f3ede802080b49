import { z } from "zod";

/** ISO 8601 in UTC. */
export const time = z.iso.datetime();
export const count = z.int().min(0);
/** A calendar day in UTC: "2031-04-09". */
export const day = z.iso.date();

/** Where a chunk is in its file; absent where the document has no file, or its chunk no page or section. */
export const filePlace = {
  /** On which the chunk begins, from 1. */
  page: z.int().min(1).optional(),
  /** Title and section, as "Manual > Pumps". */
  section: z.string().optional(),
};
