/** Words that deny, doubt or suppose what a sentence tells. In small letters; verbs and nouns as lemmas. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

export const modals = words("may might could should would 'd ought");

export const doubts = words(
  "allegedly reportedly possibly probably perhaps maybe supposedly apparently presumably likely unlikely " +
    "seemingly potentially purportedly rumored rumoured hypothetically falsely wrongly mistakenly erroneously",
);

export const denials = words("not n't never neither nor cannot hardly scarcely barely");

/** Nobody has done what comes after these: "refused to sell", "believes that". */
export const claims = words(
  "claim allege believe suspect speculate suppose assume think suggest rumor rumour propose plan hope intend " +
    "expect consider seek want wish try attempt refuse fail deny decline doubt dispute threaten offer seem appear pretend imagine",
);

export const conditions = words("if unless whether lest");

/** Verbs whose clause is a view, also without "that": "thinks he founded it". */
export const views = words("claim allege believe suspect speculate suppose assume think imagine pretend");

/** Verbs that leave open what they tell where nobody is said to tell it: "is said to have", "it is reported that". */
export const hearsay = words("say report repute rumor rumour claim allege believe suppose think");

/** Whoever only these say it of, nobody vouches for it. */
export const anybody = words("nobody none few some many people");

/** What is said to be so before "that", or of words in quotation marks. */
export const untrue = words(
  "false untrue wrong incorrect doubtful unclear uncertain unproven impossible possible absurd alleged nonsense",
);

/** Where what is told comes from nobody: "according to legend", "rumour has it". */
export const sources = words("rumor rumour story tale legend myth gossip tradition folklore");

/** Nouns whose clause, or what is called so in quotation marks, nobody vouches for. */
export const tales = sources.union(
  words(
    "claim report allegation accusation belief idea notion suggestion suspicion hypothesis possibility assumption " +
      "impression misconception error mistake lie invention joke hoax",
  ),
);

/** "There is no doubt that", "it is no secret that": the clause holds whatever is denied before it. */
export const certain = words("fact doubt secret wonder surprise coincidence accident");

/** With "no" or "not" before them their clause is denied: "there is no evidence that". */
export const proofs = words("evidence proof record sign truth case");

/** Where what is told happens only in what somebody made up. */
export const fictions = words(
  "novel film movie play story tale comic opera musical sitcom dream legend myth saga fable",
);

/** "In the film, X plays Y" tells of the actor. */
export const performances = words("play portray star appear voice act direct");
