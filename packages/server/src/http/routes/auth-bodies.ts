import { dictionary } from "@zxcvbn-ts/language-common";
import { z } from "zod";

const maxEmailLength = 254;
const passwordLength = { min: 10, max: 128 };
/** The last second of the year 9999: ISO 8601 has no common form for later dates. */
const lastExpiry = Date.UTC(9999, 11, 31, 23, 59, 59);

function text(range: { min: number; max: number }) {
  const expected = `expected a string of ${range.min} to ${range.max} characters`;
  return z.string({ error: expected }).superRefine((value, context) => {
    const length = [...value].length;
    const fault = !value.isWellFormed()
      ? `has a lone surrogate, ${expected}`
      : length < range.min || length > range.max
        ? `has ${length} characters, ${expected}`
        : null;
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });
}

/** Trimmed, not blank, without control characters. */
function name(max: number) {
  return z
    .string({ error: `expected a string of 1 to ${max} characters` })
    .transform((value) => value.trim())
    .pipe(text({ min: 1, max }))
    .refine((value) => !/\p{Cc}/u.test(value), { error: "has a control character, expected none" });
}

const email = z
  .string({ error: "expected an e-mail address" })
  .transform((value) => value.trim())
  .pipe(z.email({ error: "is not an e-mail address" }))
  .refine((value) => value.length <= maxEmailLength && !value.toLowerCase().endsWith(".invalid"), {
    error: "is not a deliverable address",
  });

/** PostgreSQL refuses a parameter with NUL. */
const id = text({ min: 1, max: 200 }).refine((value) => !value.includes("\0"), {
  error: "has a NUL character, expected none",
});

/** Those of the most common passwords that are long enough to be chosen. */
const commonPasswords: ReadonlySet<string> = new Set(
  dictionary["passwords-common"].filter((common) => common.length >= passwordLength.min),
);

const newPassword = text(passwordLength).refine((value) => !commonPasswords.has(value.toLowerCase()), {
  error: "is one of the most common passwords, expected one that is harder to guess",
});
/** For an existing password, which may be from before the current minimum length. */
const password = text({ min: 1, max: passwordLength.max });

const secondsUntilExpiry = z
  .int({ error: "expected a whole number of seconds, at least 1" })
  .min(1, { error: "is not in the future, expected a whole number of seconds, at least 1" })
  .refine((seconds) => Date.now() + seconds * 1000 <= lastExpiry, {
    error: "is too far away, expected a date before the year 10000",
  });

function members<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `has ${issue.keys.slice(0, 5).join(", ")}, which this endpoint does not accept`
        : "expected a JSON object",
  });
}

/** Bodies of `/api/auth`. Unknown members are refused, including those that the library would accept. */
export const authBodies = {
  nothing: members({}),
  signIn: members({ email, password, rememberMe: z.boolean().optional() }),
  signUp: members({ email, password: newPassword, name: name(200).optional() }).transform((body) => ({
    ...body,
    name: body.name ?? body.email,
  })),
  /** Ends all other sessions by default. */
  changePassword: members({
    currentPassword: password,
    newPassword,
    revokeOtherSessions: z.boolean().default(true),
  }),
  createKey: members({ name: name(100), expiresIn: secondsUntilExpiry.nullish() }),
  deleteKey: members({ keyId: id }),
  setUp: members({ token: id, email, password: newPassword }),
} as const;
