import { z } from "zod";

/** ISO 8601 in UTC. */
export const time = z.iso.datetime();
export const count = z.int().min(0);
/** A calendar day in UTC: "2031-04-09". */
export const day = z.iso.date();
