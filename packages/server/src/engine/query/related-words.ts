/** Relates words of questions to the words of labels: "Who makes …?" and "Manufacturer: …". */
import { stemWord } from "../text/stem.ts";

/** English words for attributes, as questions and labels use them; the words of a line are related. */
const RELATED_WORDS = `
make maker made makes manufacture manufacturer manufactures produce producer produced built builder brand vendor
weigh weight heavy heaviness
cost costs price priced fee fare charge charges rate expensive cheap pay
high height tall elevation altitude
long length duration lasts period
wide width breadth
deep depth
old age
fast speed quick
big size large dimensions area
warm hot cold temperature
open opens opened opening founded established inauguration
close closes closed closing
begin begins start starts commence
end ends finish expire expires expiry lapse lapses deadline
found founder founded founders established
write wrote writes written author writer
lead leads led leader head chair chairs chairman chairwoman director manager boss
run runs operate operates operator operated
own owner owns owned belongs
absent apologies missing excused
attend attended present participants attendees
buy bought buyer purchase purchased acquire acquired
sell sold seller sale
allow allowed permit permitted permission may forbidden prohibited
call phone telephone tel ring
mail email e-mail contact
live lives lived address residence home
located location place site venue address
responsible owner assignee person
due deadline date
release released version date published
replace replaces replaced replacement successor instead
fix fixed fixes bugfix repaired repair
add added adds new introduced
remove removed removes dropped deleted
change changed changes modified
deprecated obsolete
licence license licensed
pay paying payment paid
grow grows grown growth
sow sown sowing plant planted
breed bred breeder
store stored storage keep kept
deliver delivers delivery delivered arrive arrives shipping dispatch
use uses used usage
work job profession occupation living
supervise supervised supervisor
keep keeper keeps kept
look after keeper
power powered energy electricity supply
contain contains contents content ingredient ingredients
damage damaged fault faulty broken defect defective
child children kids
student students pupils
discount reduction reduced
dose dosage
wear worn
doctor physician
car cars vehicle vehicles
warranty guarantee
dog dogs pets
borrow lend lent loan
born birth
die died death
marry married wife husband spouse
teach teacher teaches taught
win won winner
direct directed director
design designed designer architect
discover discovered discoverer
invent invented inventor
population inhabitants people
capital city
member members membership
sick ill illness falls
holiday vacation leave
train rail railway
`;

/** Endings that derive nouns from verbs; they are appended to a stem, and removed from it. */
const ENDINGS = ["er", "or", "eri", "t", "ment", "ion", "ist", "th"];
const MAX_TERMS = 32;

const RELATED_STEMS = readRelatedWords();

/**
 * The terms (stems) that are related to each of a question's terms. Only the first 32 terms are considered,
 * to bound the cost of a long question.
 */
export function findRelatedTerms(terms: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const related = new Map<string, readonly string[]>();
  for (const term of [...terms].slice(0, MAX_TERMS)) {
    const known = RELATED_STEMS.get(term) ?? [];
    const derived = /^[a-z]{4,}$/.test(term) ? derivedForms(term) : [];
    const all = new Set([...known, ...derived]);
    all.delete(term);
    if (all.size > 0) related.set(term, [...all]);
  }
  return related;
}

function derivedForms(term: string): readonly string[] {
  const bases = ENDINGS.filter((ending) => term.endsWith(ending) && term.length - ending.length >= 4).map(
    (ending) => term.slice(0, -ending.length),
  );
  return [...ENDINGS.map((ending) => term + ending), ...bases];
}

function readRelatedWords(): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>();
  for (const line of RELATED_WORDS.trim().split("\n")) {
    const stems = [...new Set(line.split(" ").map(stemWord))];
    for (const stem of stems) {
      const known = related.get(stem) ?? new Set();
      for (const other of stems) known.add(other);
      related.set(stem, known);
    }
  }
  return related;
}
