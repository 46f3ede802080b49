import type { Webhook } from "@kcs/sdk";
import { eventWords } from "./event-words.ts";

/** One below the other. */
export function EventList({ events }: { readonly events: Webhook["events"] }) {
  return (
    <ul>
      {events.map((event) => (
        <li key={event} title={event}>
          {eventWords[event]}
        </li>
      ))}
    </ul>
  );
}
