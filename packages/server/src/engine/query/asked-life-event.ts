/** Tells whether passages say anything of an event in somebody's life that a question asks for: "Where did X die?" English only. */
import { createStrangers } from "./asked-names.ts";
import { namesInQuestion } from "./dynamic/question-names.ts";
import type { SummaryChunk } from "./summarize-candidates.ts";
import { mayBeEnglish } from "./written/languages.ts";

interface LifeEvent {
  /** After "did NAME". */
  readonly verbs: string;
  /** After "was NAME". */
  readonly participles: string;
  /** After "date of". */
  readonly nouns: string;
  /** What a passage that tells of it has; rather too much, since without any the question is denied. */
  readonly told: RegExp;
}

/** "(3 May 1871 – 4 May 1934)" */
const LIFETIME = String.raw`\d{4}[^()\n]{0,40}[–—-][^()\n]{0,40}\d{4}|\([^()]{0,60}\d{4}[^()]{0,60}\d{4}`;

/** Events that English names by a closed class of words. Of other verbs, no list tells what says the same: the words of a question do not tell near misses (docs/decisions/0035). */
const LIFE_EVENTS: readonly LifeEvent[] = [
  {
    verbs: "die|pass away",
    participles: "killed|murdered",
    nouns: "death",
    told: anyOf(
      [
        String.raw`d\.|dod|die[ds]?|dying|dead|deadly|death\p{L}{0,20}|deceased?|demise|fatal\p{L}{0,20}|mortal\p{L}{0,20}|perish\p{L}{0,20}|succumb\p{L}{0,20}`,
        String.raw`pass(?:ed|es|ing)(?: \p{L}{1,20})? away|passing|kill\p{L}{0,20}|murder\p{L}{0,20}|assassinat\p{L}{0,20}|execut(?:ed|ions?)|behead\p{L}{0,20}`,
        String.raw`hang(?:ed|ing)|hung|sla(?:in|y\p{L}{0,20})|slew|shot|stabbed|poison\p{L}{0,20}|drown\p{L}{0,20}|suicide|martyr\p{L}{0,20}|victims?|crash\p{L}{0,20}`,
        String.raw`fell (?:at|on|to|in (?!love))\p{L}{0,20}|(?:the|his|her|their) late \p{L}{1,20}|lived (?:until|till|to)|last years`,
        String.raw`(?:end|rest|remainder|last \p{L}{1,20}) of (?:\p{L}{1,20} )?life|(?:lost|gave|took|taken|costs?) (?:\p{L}{1,20} )?(?:life|lives)`,
        String.raw`obituar\p{L}{0,20}|funeral|bur(?:ied|ial)|grave|tomb|posthumous\p{L}{0,20}|widow\p{L}{0,20}|survived by`,
        // Of a firm or a product.
        "failure|shut down|discontinued|dissolved|dissolution|ceased|folded|collapsed?|bankrupt(?:cy)?|cancell?ed|defunct|extinct|scrapped|axed|wound up",
      ],
      `†|${LIFETIME}`,
    ),
  },
  {
    verbs: "come into the world",
    participles: "born",
    nouns: "birth",
    told: anyOf(
      [
        String.raw`born|b\.|dob|birth\p{L}{0,20}|nativ\p{L}{0,20}|née|né|hail\p{L}{0,20}|bapti\p{L}{0,20}|christened|bore|came into the world`,
        String.raw`(?:is|was|are|were|comes?|came|originally|originates) from|had (?:\p{L}{1,20} )?(?:sons?|daughters?|child|children|boys?|girls?|baby)`,
      ],
      String.raw`\([^()]{0,80}\d{4}|${LIFETIME}`,
    ),
  },
  {
    verbs: "marry|wed",
    participles: "married|wed|wedded",
    nouns: "marriage|wedding",
    told: anyOf([
      String.raw`marr(?:y|ie[ds]|ying|iages?)|re-?marri\p{L}{0,20}|m\.|wed(?:s|ded|dings?)?|wife|wives|husbands?|spouses?|consorts?|concubine`,
      String.raw`brides?|bridegroom|groom|widow\p{L}{0,20}|divorc\p{L}{0,20}|honeymoon|couples?|partners?|fianc\p{L}{0,20}|betroth\p{L}{0,20}|engage(?:d to|ment)`,
      String.raw`tied the knot|elope[ds]?|in-laws?|matrimon\p{L}{0,20}|mrs|queen|empress|their (?:\p{L}{1,20} )?(?:sons?|daughters?|child|children)`,
    ]),
  },
  {
    verbs: "get buried",
    participles: "buried|laid to rest|interred|entombed",
    nouns: "burial|funeral",
    told: anyOf([
      String.raw`bur(?:y|ie[ds]|ials?|ying)|grave\p{L}{0,20}|tomb\p{L}{0,20}|entomb\p{L}{0,20}|inter(?:red|ment)|cemeter\p{L}{0,20}|churchyards?|funerals?`,
      String.raw`mausole\p{L}{0,20}|crypts?|vaults?|ashes|cremat\p{L}{0,20}|rest(?:s|ed|ing)?|lies|remains|body|sarcophag\p{L}{0,20}|necropolis`,
    ]),
  },
];

const ASKING = String.raw`(?:(?:on|in|at|of|from|to|by) )?(?:(?:when|where)(?: and (?:when|where))?|how|why|whom?|(?:what|which)(?: \p{L}{2,20}){0,2})`;
const ASPECT = "(?:exact )?(?:date|day|year|place|town|city|country|cause|time|circumstances)";
const MARKS = /[?.! ]{1,8}$/;
const MAX_UNITS = 300;

const FORMS = LIFE_EVENTS.map(({ verbs, participles, nouns, told }) => {
  const forms = [
    `${ASKING} (?:did|does) NAME (?:${verbs})(?: (?:of|from|in|at))?`,
    `${ASKING} (?:(?:was|is|has) NAME|did NAME get) (?:${participles})(?: (?:to|in|at|by))?`,
    `(?:what (?:is|was) )?(?:the )?${ASPECT} of (?:NAME['’]s? (?:${nouns})|(?:the )?(?:${nouns}) of NAME)`,
    `(?:what (?:is|was) )?NAME['’]s? ${ASPECT} of (?:${nouns})`,
  ];
  return { told, asked: new RegExp(`^(?:${forms.join("|")})$`, "iu") };
});

/** Any of the words, as whole words, or any of the signs. */
function anyOf(words: readonly string[], signs?: string): RegExp {
  const whole = String.raw`(?<!\p{L})(?:${words.join("|")})(?!\p{L})`;
  return new RegExp(signs === undefined ? whole : `${whole}|${signs}`, "iu");
}

/**
 * Whether the question asks for such an event in the life of somebody whom it names, and no passage of the documents that speak of that name says
 * anything of it. A passage in another language may.
 */
export function lacksLifeEvent(query: string, chunks: readonly SummaryChunk[]): boolean {
  if (query.length > MAX_UNITS) return false;
  const [named, ...more] = namesInQuestion(query);
  if (named === undefined || more.length > 0) return false;
  const asked = `${query.slice(0, named.start)}NAME${query.slice(named.end)}`.trim().replace(MARKS, "");
  const told = FORMS.find((form) => form.asked.test(asked))?.told;
  if (told === undefined) return false;
  // A document may give the last name alone.
  const isStranger = createStrangers([named.name, ...named.name.split(" ").slice(-1)], chunks);
  return chunks.every(({ text, header = "", leadingText = "" }, at) => {
    if (isStranger(at)) return true;
    const all = `${header}\n${leadingText}\n${text}`;
    return mayBeEnglish(all) && !told.test(all);
  });
}
