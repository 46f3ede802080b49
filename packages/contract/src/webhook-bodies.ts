import { z } from "zod";
import { expecting, nameField, optional } from "./fields.ts";
import { WEBHOOK_EVENTS } from "./webhook-responses.ts";

const MAX_URL_CHARACTERS = 2048;
const MAX_DESCRIPTION_CHARACTERS = 200;

const eventExpected = WEBHOOK_EVENTS.map((name) => `"${name}"`).join(" or ");
const eventsExpected = `an array of ${eventExpected}, at least one of them`;

/** Without `events` the webhook gets all of them. The service checks the URL itself, because its operator may allow more. */
export const createWebhookBody = z.object(
  {
    url: nameField(MAX_URL_CHARACTERS).meta({ pattern: "^https?://" }),
    events: z
      .array(z.enum(WEBHOOK_EVENTS, expecting(eventExpected)), expecting(eventsExpected))
      .min(1, { error: `is empty, expected ${eventsExpected}` })
      .max(10, { error: "has too many items, expected at most 10" })
      .nullish()
      .transform((value) => [...new Set(value ?? WEBHOOK_EVENTS)]),
    description: optional(nameField(MAX_DESCRIPTION_CHARACTERS)),
  },
  expecting("a JSON object"),
);
