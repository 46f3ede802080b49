/** What the parts of the comparison hand to each other. */

export interface Peer {
  /** Shown in the table, and chosen with `--only`. */
  readonly name: string;
  /** "nowhere": it cannot be installed, for the `reason` in `needed`. */
  readonly from: "pypi" | "npm" | "nowhere";
  readonly package: string;
  readonly version: string;
  /** Further packages, as pip or npm name them. */
  readonly also?: readonly string[];
  /** Packages that are installed without what they require. */
  readonly without?: readonly string[];
  /** Our file in this folder that runs it, and which of its ways, if it has several. */
  readonly adapter: string;
  readonly way?: string;
  readonly asksModel: boolean;
  readonly needed: string;
}

/** Work of the model server; it is part of the times and not of the processor time. */
export interface ModelWork {
  readonly chats: number;
  readonly texts: number;
  /** Texts other than the passages and questions, which the bundled model embedded. */
  readonly embedded: number;
  readonly embeddedSeconds: number;
}

/** What an adapter writes. */
export interface AdapterResult {
  readonly ingest: {
    readonly passages: number;
    readonly seconds: number;
    readonly cpuSeconds: number;
    readonly model?: ModelWork;
  };
  readonly ways: readonly {
    readonly way: string;
    readonly timesMs: readonly number[];
    /** Of all questions together. */
    readonly cpuSeconds: number;
    /** Document ids by question, the best first. */
    readonly ranked: Readonly<Record<string, readonly string[]>>;
    readonly model?: ModelWork;
  }[];
}

export interface Way {
  readonly way: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Processor time of a question on average. */
  readonly cpuMs: number;
  /** Percent; null where not all passages were ingested. */
  readonly recall2: number | null;
  readonly recall5: number | null;
  readonly model?: ModelWork;
}

export interface Figures {
  readonly ingest: AdapterResult["ingest"];
  /** NaN where it cannot be read. */
  readonly peakPssMiB: number;
  readonly diskMiB: number;
  readonly ways: readonly Way[];
}

export type Outcome = { readonly name: string; readonly version: string; readonly needed: string } & (
  | ({ readonly kind: "measured" } & Figures)
  | { readonly kind: "missing" | "failed"; readonly reason: string }
);
