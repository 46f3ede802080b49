/** A client that takes what it cannot read for the end of its connection. `pg` throws such an error where nobody can catch it, which ends the process. */
import { Client, type ClientConfig } from "pg";

interface Readable {
  on(event: string, listener: (data: Buffer) => void): unknown;
  destroy(error?: Error): unknown;
}

export class CarefulClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const connection: object = this.connection;
    if (!canAttach(connection)) throw new Error("This version of pg reads its connections in another way.");
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => attach(carefully(stream));
  }
}

interface Attaching {
  attachListeners(stream: Readable): void;
}

function canAttach(connection: object): connection is Attaching {
  return "attachListeners" in connection && typeof connection.attachListeners === "function";
}

function carefully(stream: Readable): Readable {
  return {
    on: (event, listener) =>
      stream.on(event, (data) => {
        try {
          listener(data);
        } catch (error) {
          stream.destroy(error instanceof Error ? error : new Error(String(error)));
        }
      }),
    destroy: (error) => stream.destroy(error),
  };
}
