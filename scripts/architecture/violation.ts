export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}
