export {
  graphInput,
  graphLowerStates,
  graphOutput,
  graphStates,
  readerAnswers,
  readerSpans,
  readerTypes,
} from "./bert-graph.ts";
export { FACT_SIZES, factKinds, factLabels, factOutputs } from "./fact-graph.ts";
export { MINILM } from "./minilm.ts";
export { ensureModel, type ModelFiles } from "./model-cache.ts";
export { type FactTables, readFactTables } from "./model-file.ts";
export { ModelUnavailableError } from "./model-unavailable-error.ts";
export { encodeOnnxModel } from "./onnx-encoder.ts";
export { integerField, type Message, messageField, stringField } from "./protobuf-encoder.ts";
export { createTokenizer, requireId, specialTokens, type Tokenizer } from "./tokenizer.ts";
export { openTokenizer, readVocabulary } from "./vocabulary.ts";
