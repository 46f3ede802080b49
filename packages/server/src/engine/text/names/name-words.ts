/** Word lists that determine where a capitalized name begins, continues and ends. */

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/**
 * Words that join two capitalized words into one name, in European languages and in transliterated Arabic and
 * Hebrew.
 */
export const connectors =
  words(`of de la le du des von van der den dem da di del della delle dello degli dei dos das do el
  al bin ibn ben bint abu y e et und zu zum zur vom af av och og te ten ter het op sur upon aan am 't en las los les
  & a' na pod nad`);

/**
 * Words that join names more loosely: whether "A and B" or "A in B" is one name is only known if a text is
 * about it.
 */
export const looseConnectors = words(
  "and in for at on to with from by a an the or as into is are v vs versus nor near o um",
);

/**
 * Words that are never names by themselves and, at the start of a sentence, not part of the following name.
 */
export const functionWords =
  words(`a an the and or but nor so yet if then than that this these those there here he she it
  they we you i me him her us them his hers its our ours their theirs my mine your yours who whom whose which what
  when where why how while because although though unless until since before after during despite in on at of for
  from to into onto with without within by as about above across against along among amid around behind below
  beneath beside besides between beyond down near off over out past per through throughout toward towards under
  upon up via is are was were be been being am has have had having do does did done can could will would shall
  should may might must not no yes all any both each either every few many more most much neither none one other
  others several some such two three four five six seven eight nine ten another also again ago only just even
  too very same own now never always often`);

/** Words that often begin a sentence and are rarely names: only a capital in mid-sentence makes them one. */
export const openers =
  words(`according additionally afterwards afterward although altogether consequently currently
  eventually finally first firstly fifth following for formerly fourth furthermore generally given hence historically
  however ideally immediately including indeed initially instead last lastly lately later like likewise located
  meanwhile moreover mostly nevertheless next nonetheless notable notably nowadays once originally otherwise overall
  people perhaps please possibly presently previously prior probably rather recently regarding second secondly
  similarly simultaneously sometimes soon still subsequently surprisingly third thereafter therefore thus today
  together tomorrow typically ultimately unfortunately unlike unusually usually well whenever whereas wherever whether
  yesterday based born known named called written directed produced created founded established built released
  published set starring featuring developed designed using used made part several various numerous early late
  approximately nearly almost about less least half total members people men women children critics reviews construction
  production work works development research studies results example examples figure table chapter section part note
  see let consider suppose assume show shown take use try make go get come say said says tell ask look find think
  hello hi hey dear thanks thank yes okay ok oh ah new old good great best better big small long high low little large main
  major most modern common similar different important recent early young original final full free open early native
  population music history plot story cast film films book books song songs album albums game games series season
  things everything something nothing anything everyone someone nobody anyone while whilst despite due because
  instead apart aside along amongst upon plus around beginning starting being during going having taking returning
  between among every each both either neither such many much more most some few all none half twice`);

/**
 * Months, weekdays and seasons, which are not names of things. Some are names of people, but only next to
 * another name.
 */
export const calendarWords =
  words(`january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday
  spring summer autumn fall winter`);

/** Words that a day or a year may stand behind: then it tells when, and is no part of the name that follows. */
export const timePrepositions = words("in on by since until from late early mid of during");

/** Titles before a name that are not part of it. */
export const honorifics = words(
  "mr mrs ms miss dr prof mme mlle herr frau monsieur madame signor señor sr sra",
);

/**
 * Titles before a person's name, usually before its last word alone; a text about the person may omit them.
 */
export const ranks =
  words(`president king queen prince princess emperor empress sultan tsar czar pope saint st general
  colonel captain lieutenant major admiral sergeant commander marshal sir lord lady dame baron baroness duke duchess
  earl count countess viscount marquess senator governor mayor minister chancellor judge justice professor bishop
  archbishop cardinal father brother sister rabbi imam sheikh coach dr doctor prof mr mrs ms gen col capt lt sgt gov
  sen rep rev hon reverend congressman congresswoman secretary ambassador chief director`);

/** Words written with a full stop inside a name. */
export const dottedWords =
  words(`dr mr mrs ms st mt ft jr sr prof rev hon gov sen rep gen col capt lt sgt cpl maj adm cmdr
  bros co corp inc ltd no vol dept univ assn ave blvd rd messrs mme mlle ste pres supt esq`);

/** Lower-case prefixes of a capitalized word: "al-Rashid", "d'Arc", "l'Aquila". */
export const prefixes = words(
  "al el ad an ar as ash at az ul ur d l o de da di du dell dall nell sant t n m qu la le s ibn ould abd abu bin",
);
