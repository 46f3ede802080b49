import { graphsOf, type ModelDescription } from "./describe-model.ts";

type Sizes = Pick<ModelDescription, "task" | "weights" | "weightBytes" | "isMapped" | "reader">;

/** Measured for a model of 12 layers, 768 wide: 1.43 of a file in 32 bits, 1.71 of one in 8 bits (decision 28). */
const MEMORY_PER_BYTE = 1.75;
/** Of a reader, whose attention needs more: 2.11 was measured of a file in 32 bits (decision 29). */
const READER_MEMORY_PER_BYTE = 2.25;
/** Of a session whose weights are mapped: 27 and 29 MB were measured for these models. */
const MAPPED_SESSION_BYTES = 32e6;
/** Of a reader's also for each byte of its file: two sessions of one of 442 MB took 258 MB each (decision 29). */
const MAPPED_READER_MEMORY_PER_BYTE = 0.5;

/** What a thread that opens the model needs for itself, about. */
export function bytesInMemory(model: Sizes): number {
  const { task, weightBytes, isMapped } = model;
  const isReader = task === "extraction";
  if (!isMapped) return weightBytes * (isReader ? READER_MEMORY_PER_BYTE : MEMORY_PER_BYTE);
  const forReading = isReader ? weightBytes * MAPPED_READER_MEMORY_PER_BYTE : 0;
  return MAPPED_SESSION_BYTES * graphsOf(model).length + forReading;
}

/** What all threads that have it open need together. */
export function bytesOfCopies(model: Sizes, copies: number): number {
  return bytesInMemory(model) * copies + (model.isMapped ? model.weightBytes : 0);
}
