import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";
import styles from "./button.module.css";
import linkStyles from "./button-link.module.css";

interface StyledLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "className"> {
  readonly variant?: "primary" | "secondary";
  readonly ref?: Ref<HTMLAnchorElement>;
}

function StyledLink({ variant = "secondary", ...props }: StyledLinkProps) {
  return (
    <a {...props} className={`${styles.button} ${styles.medium} ${styles[variant]} ${linkStyles.link}`} />
  );
}

/** A link to another page that looks like a button. */
export const ButtonLink = createLink(StyledLink);
