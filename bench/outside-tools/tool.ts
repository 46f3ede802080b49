export interface Target {
  readonly baseUrl: string;
  readonly key: string;
  /** A project with a graph that has relationships with and without a year. */
  readonly projectId: string;
  /** A file with the telemetry that the service has sent, a request a line. */
  readonly telemetry: string;
}

export interface Tool {
  readonly name: string;
  /** "included": a dependency of the repository. "go": a command, named by the path of its package. */
  readonly from: "python" | "npm" | "go" | "included";
  readonly version: string;
  /** Further packages of Python, as pip names them. */
  readonly needs?: readonly string[];
  readonly tries: string;
  /** @returns what was found; @throws when it is a fault */
  readonly run: (target: Target) => Promise<string>;
}
