import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from "react-aria-components";
import styles from "./field.module.css";

export interface TextFieldProps extends Omit<AriaTextFieldProps, "className" | "children"> {
  readonly label: string;
  /** Hides the label, except from screen readers. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string;
  readonly placeholder?: string;
  /** Number of lines. Default: 1 */
  readonly rows?: number;
  /** Why the input is not accepted. */
  readonly fault?: string;
}

export function TextField({
  label,
  isLabelHidden = false,
  hint,
  placeholder,
  rows = 1,
  fault,
  ...props
}: TextFieldProps) {
  return (
    <AriaTextField
      {...props}
      {...(fault !== undefined && { isInvalid: true })}
      className={styles.field ?? ""}
    >
      <Label className={isLabelHidden ? "visually-hidden" : (styles.label ?? "")}>{label}</Label>
      {rows === 1 ? (
        <Input
          dir="auto"
          className={styles.input ?? ""}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      ) : (
        <TextArea
          dir="auto"
          className={styles.input ?? ""}
          rows={rows}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      )}
      {hint !== undefined && (
        <Text slot="description" className={styles.hint ?? ""}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.fault ?? ""}>
        {({ validationErrors, validationDetails: { tooShort } }) =>
          fault ??
          (tooShort
            ? `Too short: it needs at least ${props.minLength} characters.`
            : validationErrors.join(" "))
        }
      </FieldError>
    </AriaTextField>
  );
}
