/**
 * Learned by evals/graph-ranking/train.ts from the questions with an even place of these sets (sha256 of corpus, questions and judgements):
 * - migres_hotpotqa_200 6bf1645dd5bd825f4c923f5aba76304070dbda124ea933a85a60e17859d737ec
 * - migres_musique_200 2e1390a8316cbe29d33efe7419517992bd40695d747555b61aa0190ed9e243f4
 * - musique_train100 9c9d7b24524992e63562af05740bc1527dd49745ec0a9e95e3c675a414d1a580
 * - cisi 82c62383715bea4024ac3475c1d2c9235940b44f55235fcdf8160a82c0e13f44
 */

/** In the order of the features. */
export const WEIGHTS: readonly number[] = [
  -2.587, // fused
  7.511, // fusedShare
  -3.095, // lexical
  -0.136, // dense
  2.586, // linked
  0.307, // mentioned
  -0.73, // covered
  0.348, // sentence
  3.23, // rest
  3.077, // bridge
  0.553, // bridgeSeed
  -2.733, // bridgeSentence
  1.675, // bridgeRest
  -0.682, // bridgeRarity
  -0.188, // bridgeLinked
  -0.777, // bridgeSum
  1.099, // bridgeFirst
  -0.46, // bridged
  0.486, // bridgeTarget
  0.418, // pageRank
  1.857, // pageRankFirst
];

export const BIAS = -8.5;
