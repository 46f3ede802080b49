/** A client that takes what it cannot read for the end of its connection. `pg` throws such an error where nobody can catch it, which ends the process. */
import { Client, type ClientConfig } from "pg";

/** What `pg` needs of a stream to read it. */
interface Readable {
  on(event: string, listener: (data: Buffer) => void): unknown;
}

interface Stream extends Readable {
  destroy(error: Error): unknown;
}

export class CarefulClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const connection: object = this.connection;
    if (!canAttach(connection)) throw new Error("This version of pg reads its connections in another way.");
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream: Stream) => attach(carefully(stream));
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
