import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import styles from "./evidence-item.module.css";
import { EvidenceList, type EvidenceItem as Quote } from "./evidence-list.tsx";

/** A list item with a collapsible list of quotes. */
export function EvidenceItem({
  projectId,
  title,
  evidence,
  isExpanded = false,
  note = "",
  children,
}: {
  readonly projectId: string;
  readonly title: ReactNode;
  readonly evidence: readonly Quote[];
  readonly isExpanded?: boolean;
  /** Above the quotes; "" for none. */
  readonly note?: string;
  /** Below the quotes. */
  readonly children: ReactNode;
}) {
  return (
    <li>
      <Disclosure defaultExpanded={isExpanded} className={styles.item ?? ""}>
        <Heading className={styles.head ?? ""}>
          <Button slot="trigger" className={styles.trigger ?? ""}>
            <ChevronRight aria-hidden size={14} className={styles.mark} />
            <span>{title}</span>
          </Button>
        </Heading>
        <DisclosurePanel>
          <div className={styles.body}>
            {note !== "" && <p className={styles.note}>{note}</p>}
            <EvidenceList projectId={projectId} items={evidence} />
            {children}
          </div>
        </DisclosurePanel>
      </Disclosure>
    </li>
  );
}
