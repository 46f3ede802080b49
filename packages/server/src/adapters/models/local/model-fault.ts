/** More than a name, a path and advice need. */
const MAX_UNITS = 2_000;

/**
 * A local model cannot be used. The message names the model or the file, and says what to do; anybody may read it. Names of files come
 * from hubs: what would control a terminal is shown as a replacement character.
 */
export class ModelFault extends Error {
  override readonly name = "ModelFault";

  constructor(message: string, options?: ErrorOptions) {
    const shown = message.length > MAX_UNITS ? `${message.slice(0, MAX_UNITS)}…` : message;
    super(shown.replace(/[^\P{Cc}\n\t]|\p{Bidi_C}/gu, "\ufffd"), options);
  }
}
