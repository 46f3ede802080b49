/**
 * Learned by evals/graph-ranking/train.ts from the questions with an even place of these sets (sha256 of corpus, questions and judgements):
 * - migres_hotpotqa_200 6bf1645dd5bd825f4c923f5aba76304070dbda124ea933a85a60e17859d737ec
 * - migres_musique_200 2e1390a8316cbe29d33efe7419517992bd40695d747555b61aa0190ed9e243f4
 * - musique_train100 9c9d7b24524992e63562af05740bc1527dd49745ec0a9e95e3c675a414d1a580
 * - cisi 82c62383715bea4024ac3475c1d2c9235940b44f55235fcdf8160a82c0e13f44
 */

/** In the order of the features. */
export const WEIGHTS: readonly number[] = [
  -2.67, // fused
  7.461, // fusedShare
  -3.159, // lexical
  -0.179, // dense
  2.615, // linked
  0.324, // mentioned
  -0.736, // covered
  0.324, // sentence
  3.241, // rest
  3.102, // bridge
  0.568, // bridgeSeed
  -2.727, // bridgeSentence
  1.718, // bridgeRest
  -0.665, // bridgeRarity
  -0.219, // bridgeLinked
  -0.77, // bridgeSum
  1.114, // bridgeFirst
  -0.433, // bridged
  0.499, // bridgeTarget
  0.432, // pageRank
  1.81, // pageRankFirst
];

export const BIAS = -8.41;
