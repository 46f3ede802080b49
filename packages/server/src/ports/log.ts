export type LogFields = Readonly<Record<string, unknown>>;

/** An event name plus fields. No document text, keys, tokens, passwords or connection strings. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/**
 * The listener, with what it throws logged: it hears of work that must go on whatever the listener makes of it, and an error in
 * the handler of a message would end the process.
 */
export function guardListener<T>(listener: ((told: T) => void) | undefined, log: Log): (told: T) => void {
  return (told) => {
    try {
      listener?.(told);
    } catch (error) {
      log.error("listener_failed", { error });
    }
  };
}

/** A log that only counts warnings and errors which repeat others too often. Both return false for an entry that was only counted. */
export interface BoundedLog extends Log {
  warn(event: string, fields?: LogFields): boolean;
  error(event: string, fields?: LogFields): boolean;
}
