/** A model of this process that reads the entities and relations of labels in texts. */

/** The model cannot be used now. The message names the file and says what to do; anybody may read it. */
export class ReaderUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ReaderUnavailableError";
  }
}

export interface EntityLabel {
  readonly name: string;
  /** "" when there is none. Models whose prompt has the labels see the name alone. */
  readonly description: string;
}

export interface ReaderLabels {
  /** Each name once. */
  readonly entities: readonly EntityLabel[];
  /** Between entities of some labels, by their index. */
  readonly relations: readonly {
    readonly label: string;
    readonly sources: readonly number[];
    readonly targets: readonly number[];
  }[];
}

/** Offsets into the text. */
export interface ReadEntity {
  readonly start: number;
  readonly end: number;
  /** Index of its label. */
  readonly label: number;
  /** 0…1, as the model says it. */
  readonly score: number;
}

/** Between two of the entities, by their index. */
export interface ReadRelation {
  readonly source: number;
  readonly target: number;
  readonly label: number;
  /** 0…1: the probability that it is true, as far as the model was calibrated. */
  readonly confidence: number;
}

export interface ReaderReading {
  /** By their start; no two at one place. */
  readonly entities: readonly ReadEntity[];
  readonly relations: readonly ReadRelation[];
  /** How many of the labels the model was not asked for, because a text has room for so many only. */
  readonly unread: { readonly entities: number; readonly relations: number };
}

export interface EntityReader {
  /** The name of the model. */
  readonly model: string;
  /**
   * Depends on the text and the labels alone. `accountId`: where requests wait, accounts take turns.
   * @throws ReaderUnavailableError
   */
  read(text: string, labels: ReaderLabels, accountId?: string): Promise<ReaderReading>;
}
