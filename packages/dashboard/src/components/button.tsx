import type { Ref } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import styles from "./button.module.css";

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "isPending"> {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly variant?: "primary" | "secondary" | "quiet" | "danger" | "quietDanger";
  /** `icon`: a square button with one icon. It needs an `aria-label`, which the pointer shows. */
  readonly size?: "medium" | "small" | "icon";
  /** The action is running. Disables the button, so that neither a press nor Enter in a field starts it again. */
  readonly isPending?: boolean;
}

export function Button({
  variant = "secondary",
  size = "medium",
  isPending = false,
  isDisabled = false,
  ...props
}: ButtonProps) {
  return (
    <AriaButton
      {...props}
      {...(size === "icon" && { render: (own) => <button {...own} title={own["aria-label"]} /> })}
      isDisabled={isDisabled || isPending}
      className={`${styles.button} ${styles[variant]} ${styles[size]} ${isPending ? styles.pending : ""}`}
    />
  );
}
