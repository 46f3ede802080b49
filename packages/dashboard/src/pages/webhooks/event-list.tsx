import type { Webhook } from "@kcs/sdk";
import styles from "./event-list.module.css";
import { eventWords } from "./event-words.ts";

export function EventList({ events }: { readonly events: Webhook["events"] }) {
  return (
    <span className={styles.events}>
      {events.map((event) => (
        <span key={event} title={event}>
          {eventWords[event]}
        </span>
      ))}
    </span>
  );
}
