import { useParams } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "../../components/button.tsx";
import { Folded } from "../../components/folded.tsx";
import styles from "./toast-region.module.css";
import { toasts } from "./toast-store.ts";

/** Always on the page, so that screen readers announce what appears in it. What is of a project is on its pages. */
export function ToastRegion() {
  const { projectId } = useParams({ strict: false });
  const all = useSyncExternalStore(toasts.subscribe, toasts.list);
  const shown = all.filter((toast) => toast.projectId === null || toast.projectId === projectId);
  return (
    <section aria-label="Notifications" aria-live="polite" className={styles.region}>
      {shown.map(({ id, text, list, kind, action }) => (
        <div key={id} className={`${styles.toast} ${kind === "bad" ? styles.bad : ""}`}>
          <p className={styles.text} dir="auto">
            {text}
          </p>
          <Button variant="quiet" size="icon" aria-label="Close the message" onPress={() => toasts.close(id)}>
            <X aria-hidden size={16} />
          </Button>
          {list.length > 0 && (
            <div className={styles.details}>
              <Folded title="Show which">
                <ul className={styles.list}>
                  {list.map((each) => (
                    <li key={each} dir="auto">
                      {each}
                    </li>
                  ))}
                </ul>
              </Folded>
            </div>
          )}
          {action !== null && (
            <div className={styles.action}>
              <Button
                size="small"
                onPress={() => {
                  toasts.close(id);
                  action.onPress();
                }}
              >
                {action.label}
              </Button>
            </div>
          )}
        </div>
      ))}
    </section>
  );
}
