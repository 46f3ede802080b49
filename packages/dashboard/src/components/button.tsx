import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import styles from "./button.module.css";

export interface ButtonProps extends Omit<AriaButtonProps, "className"> {
  readonly variant?: "primary" | "secondary" | "quiet" | "danger";
  /** `icon`: square, for one icon; give it an `aria-label`. */
  readonly size?: "medium" | "small" | "icon";
}

export function Button({ variant = "secondary", size = "medium", ...props }: ButtonProps) {
  return <AriaButton {...props} className={`${styles.button} ${styles[variant]} ${styles[size]}`} />;
}
