import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import styles from "./button.module.css";

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "isPending"> {
  readonly variant?: "primary" | "secondary" | "quiet" | "danger" | "quietDanger";
  /** `icon`: square, for one icon; give it an `aria-label`. */
  readonly size?: "medium" | "small" | "icon";
  /** What it does is under way: it cannot be done a second time meanwhile, not with Enter in a field either. */
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
      isDisabled={isDisabled || isPending}
      className={`${styles.button} ${styles[variant]} ${styles[size]}`}
    />
  );
}
