/** A client that takes what it cannot read for the end of its connection. `pg` throws such an error where nobody can catch it, which ends the process. */
import { Client, type ClientConfig } from "pg";
import { BufferReader } from "pg-protocol/dist/buffer-reader.js";

/** What `pg` needs of a stream to read it. */
interface Readable {
  on(event: string, listener: (data: Buffer) => void): unknown;
}

interface Stream extends Readable {
  destroy(error: Error): unknown;
}

interface Reader {
  readonly buffer: Uint8Array;
  /** Where the next read begins. */
  readonly offset: number;
}

const { cstring }: { cstring(this: Reader): string } = BufferReader.prototype;

/**
 * In place of the one of `pg-protocol`, which reads empty texts without end behind a message that is cut off: its loop over the members of an error
 * would never end.
 */
function boundedCstring(this: Reader): string {
  const text = cstring.call(this);
  if (this.offset > this.buffer.length) throw new Error("A message of PostgreSQL is cut off.");
  return text;
}

export class CarefulClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    Object.defineProperty(BufferReader.prototype, "cstring", { value: boundedCstring });
    const connection: object = this.connection;
    if (!canAttach(connection)) throw new Error("This version of pg reads its connections in another way.");
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream: Stream) => attach(carefully(stream));
    this.#endFailedLogins();
  }

  /** The pool forgets a client that could not log in: what it leaves open would hold one of the server's connections until the server ends it. */
  #endFailedLogins(): void {
    const { connection } = this;
    let isLoggedIn = false;
    connection.once("readyForQuery", () => {
      isLoggedIn = true;
    });
    connection.on("errorMessage", () => {
      if (!isLoggedIn) connection.stream.destroy();
    });
    connection.on("error", () => connection.stream.destroy());
  }
}

interface Attaching {
  attachListeners(stream: Readable): void;
}

function canAttach(connection: object): connection is Attaching {
  return "attachListeners" in connection && typeof connection.attachListeners === "function";
}

/** Ends the stream where a listener throws. */
function carefully(stream: Stream): Readable {
  return {
    on: (event, listener) =>
      stream.on(event, (data) => {
        try {
          listener(data);
        } catch (error) {
          stream.destroy(error instanceof Error ? error : new Error(String(error)));
        }
      }),
  };
}
