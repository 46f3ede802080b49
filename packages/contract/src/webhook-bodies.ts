import { z } from "zod";
import { expecting, nameField, optional } from "./fields.ts";
import { WEBHOOK_EVENTS } from "./webhook-responses.ts";

const MAX_URL_CHARACTERS = 2048;
const MAX_DESCRIPTION_CHARACTERS = 200;

const eventExpected = WEBHOOK_EVENTS.map((name) => `"${name}"`).join(" or ");
const eventsExpected = `an array of ${eventExpected}, at least one of them`;

/** The service checks it itself, because its operator may allow more. */
const url = nameField(MAX_URL_CHARACTERS).meta({ pattern: "^https?://" });

const events = z
  .array(z.enum(WEBHOOK_EVENTS, expecting(eventExpected)), expecting(eventsExpected))
  .min(1, { error: `is empty, expected ${eventsExpected}` })
  .max(10, { error: "has too many items, expected at most 10" })
  .nullish();

/** Without `events` the webhook gets all of them. */
export const createWebhookBody = z.object(
  {
    url,
    events: events.transform((value) => [...new Set(value ?? WEBHOOK_EVENTS)]),
    description: optional(nameField(MAX_DESCRIPTION_CHARACTERS)),
  },
  expecting("a JSON object"),
);

/** What is left out stays; a `description` of null is removed. */
export const changeWebhookBody = z
  .object(
    {
      url: optional(url),
      events: events.transform((value) => (value ? [...new Set(value)] : undefined)),
      description: nameField(MAX_DESCRIPTION_CHARACTERS).nullish(),
      status: optional(z.enum(["enabled", "disabled"], expecting('"enabled" or "disabled"'))),
    },
    expecting("a JSON object"),
  )
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    error: "has nothing to change, expected url, events, description or status",
  })
  .meta({ minProperties: 1 });
