export type LogFields = Readonly<Record<string, unknown>>;

/** An event name plus fields. No document text, keys, tokens, passwords or connection strings. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** A log that only counts warnings and errors which repeat others too often. Both return false for an entry that was only counted. */
export interface BoundedLog extends Log {
  warn(event: string, fields?: LogFields): boolean;
  error(event: string, fields?: LogFields): boolean;
}
