/** Temporary files on the local disk. */

export interface FileWorkspace {
  /** Runs `work` with a new empty folder, which is removed when the work has ended, or at the next start. */
  withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result>;
  /** Writes a file into the folder and returns its path. */
  write(folder: string, name: string, pieces: AsyncIterable<Uint8Array>): Promise<string>;
  /** Makes a folder in the folder and returns its path. */
  makeFolder(folder: string, name: string): Promise<string>;
  /** The bytes of a file in pieces of this length, each in its own buffer; the last one is shorter. */
  read(path: string, pieceBytes: number): AsyncIterable<Uint8Array>;
}
