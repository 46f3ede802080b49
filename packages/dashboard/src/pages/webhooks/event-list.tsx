import type { Webhook } from "@kcs/sdk";
import styles from "./event-list.module.css";

export function EventList({ events }: { readonly events: Webhook["events"] }) {
  return (
    <span className={styles.events}>
      {events.map((event) => (
        <code key={event}>{event}</code>
      ))}
    </span>
  );
}
