import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "./button.tsx";
import styles from "./dialog.module.css";

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** False when the content cannot be shown again. Then only a button in the dialog closes it. */
  readonly isDismissable?: boolean;
  /** Near the top of the screen: for content whose height changes while somebody types, so that its field stays. */
  readonly isHigh?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog. It traps the focus and restores it when closed. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isDismissable = true,
  isHigh = false,
  children,
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      className={`${styles.overlay} ${isHigh ? styles.high : ""}`}
    >
      <Modal className={styles.modal ?? ""}>
        <AriaDialog className={styles.dialog ?? ""}>
          <div className={styles.head}>
            <Heading slot="title" className={styles.title ?? ""}>
              {title}
            </Heading>
            {isDismissable && (
              <Button variant="quiet" size="icon" aria-label="Close" onPress={onClose}>
                <X aria-hidden size={16} />
              </Button>
            )}
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons of a dialog; the main action comes last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
