import type { Webhook } from "@kcs/sdk";
import styles from "./event-list.module.css";
import { eventWords } from "./event-words.ts";

/** One below the other. */
export function EventList({ events }: { readonly events: Webhook["events"] }) {
  return (
    <ul className={styles.events}>
      {events.map((event) => (
        <li key={event} title={event}>
          {eventWords[event]}
        </li>
      ))}
    </ul>
  );
}
