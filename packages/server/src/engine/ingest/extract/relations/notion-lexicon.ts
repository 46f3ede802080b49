/** Words by which English tells common relations: general knowledge of the language, of no ontology in particular. */

/**
 * One notion a line: names that an edge type of this notion has, words that stand near its object in a sentence, prepositions
 * right before that object, and who acts. agent: the edge's target does what the verb says ("director"); patient: its source does.
 */
const lines = `
director,directed by | direct director filmmaker helm | by | agent
screenwriter,screenplay,scriptwriter | write screenplay script screenwriter story cowrite | by | agent
author,writer,written by,authored by | write author novel novelist book pen story essay poem cowrite edit | by of | agent
composer,composed by | compose composer music score write song | by | agent
lyrics,lyricist | lyric lyricist write word songwriter | by | agent
performer,singer,artist,performed by,recorded by | perform record sing song single album release singer band cover by track duo rapper | by of from | agent
producer,produced by | produce producer coproduce production | by | agent
production company,studio | produce production studio film picture company coproduce | by from | agent
cast,cast member,starring,actor,stars | star feature cast play actor actress portray appear lead role voice | with as | agent
voice actor | voice dub provide | by | agent
characters,character,protagonist | character play feature portray protagonist role hero follow villain | as of | 
presenter,host | host present anchor moderate | by | agent
editor,edited by | edit editor coedit | by | agent
illustrator,illustrated by | illustrate illustrator illustration draw drawn art artist artwork pencil ink | by | agent
translator,translated by | translate translator translation | by | agent
publisher,published by | publish publisher issue imprint print book comic | by from | agent
place of publication | publish print | in | 
record label,label | release record label sign through via | on by through via with under | agent
distributor,distributed by | distribute release distributor | by | agent
developer,developed by | develop developer create build | by | agent
manufacturer,maker,manufactured by,builder,built by | manufacture make build produce builder maker | by | agent
designer,designed by,architect | design designer architect develop engineer draw plan | by | agent
creator,created by,inventor,invented by,made by | create creator invent devise conceive make | by | agent
discoverer,discovered by | discover discovery find identify | by | agent
painter,sculptor | paint painting painter sculpt sculptor | by | agent
founder,founded by | found establish start set create cofound founder form | by | agent
owner,owned by,parent company,proprietor | own owner acquire buy subsidiary purchase belong | by of to | agent
subsidiary,owns,acquired,acquires,bought | own acquire buy purchase takeover subsidiary | | patient
operator,operated by | operate operator run manage | by | agent
ceo,chief executive,leader,led by,head,headed by,chair,chairperson,president,director general | lead head chief ceo president chairman chair leader direct run under | by under | agent
manages,leads,heads,directs | manage lead head run direct | of | patient
commander,commanded by,commanding officer | command commander lead general under officer | by under | agent
employer,works for,works at,employed by,employee | work employ join employee hire staff serve | at for by as with | patient
member,member of,belongs to,membership,affiliation,affiliated | member join belong part affiliate membership | of to with | patient
sports team,team,club,plays for | play player join sign team club midfielder defender forward goalkeeper loan captain career for | for with to by | patient
coach,coached,coach of,manager,trainer,head coach | coach manage manager train head trainer | of by for | patient
league,division | league play compete division season conference tier | in of | 
competition class,class | class women men under junior senior team | | 
season of league,season of,sports season,edition | season edition | of | 
sport,discipline | sport play player team tournament championship league competition game | of in | 
home venue,venue,stadium,home ground,arena | play home stadium ground venue arena match game | at in | 
position played,plays position | play position | as | patient
winner,won by | win winner beat defeat champion | by | agent
award,award received,prize,wins,won,honor,honour,awarded | win award receive prize honor honour recipient earn medal present | | patient
nominated,nominated for,nomination,nominee | nominate nomination nominee shortlist contend | for | patient
participant,participated in,participates,competed in,competes | participate compete take part enter attend represent | in at | patient
country for sport,represents,represented | represent international national team play | for | patient
genre,style,form | genre style film album novel song series music story fiction | | 
main subject,subject,topic,about,depicts,theme,describes | about subject depict tell story document biography deal focus concern explore portray feature topic describe cover | about of on | 
based on,adapted from,inspired by,derivative of,source material | base adapt adaptation inspire remake version derive | on of from by | patient
part of,component of,tracklist,album,from album,included in | album track from song part single include appear component volume series | from of on to in | 
has part,contains,consists of,includes,composition | contain include consist comprise composition feature | of | patient
instrument,instrumentation,plays instrument | instrument play piano guitar violin voice orchestra work sonata quartet concerto write arrange | for on | 
voice type | voice tenor soprano baritone bass sing opera singer range role | | 
language,spoken language,language of work | language write speak film edition version translate publish newspaper | in | 
country,country of origin,nationality,citizenship,citizen | country nationality citizen origin produce film from national native release | in of from | 
location,located in,place,situated,lies in,site | locate situate lie place base near site stand north south east west region district | in at on near of | 
filming location,shot at | film shoot location photography production take | in at on around | 
narrative location,setting,set in | set place story setting travel life city live town take | in at around | 
headquarters,headquartered,based in | headquarter base office seat headquarters | in at | 
capital,capital of | capital seat | of | 
place of birth,birth place,birthplace,born in,born at | born birth native | in at | patient
date of birth,birth date,born on | born birth | on in | patient
place of death,died in | die death kill dead | in at | patient
date of death,death date,died on | die death kill dead | on in | patient
cause of death | die cause kill death | of from by | 
casualty | kill wound die injure capture casualty action missing prisoner | in | patient
residence,lives in,resides | live reside move settle home resident | in at | patient
publication date,release date,released on,published on,release | release publish premiere issue debut publication appear film album single novel book open | in on | 
date founded,inception,founding date,founded in,established,founded | found establish inception create form incorporate open | in on since | 
start date,start time,began,start | begin start launch open commence hold since from | in on from | 
end date,end time,ended,dissolved | end close dissolve finish conclude until cease | in on until to | 
date,year,time,when,point in time | hold take occur happen date | in on during | 
spouse,married,marries,husband,wife,partner | marry wife husband spouse marriage widow partner | to with by | 
child,children,parent of,has child | son daughter child father mother parent bear | of to | 
parent,father,mother,child of | son daughter child father mother parent | of to by | agent
sibling,brother,sister | brother sister sibling twin | of | 
relative,family | uncle aunt nephew niece cousin grandson family relative | of | 
educated at,education,alma mater,studied at,attended,graduated | graduate study attend educate degree student alumnus education school university | at from in | patient
student,student of,pupil | student pupil teach study disciple mentor | of under by with | 
occupation,profession,job | work be career professional become former known | as | 
position held,office,role,title,job title,holds | serve hold elect appoint become position office minister mayor governor | as of | patient
political party,party | party member candidate join represent elect | of for | patient
religion,faith | religion convert church bishop priest faith worship | of to | 
rank,military rank | rank promote attain general officer retire colonel | to of as | patient
military branch,branch,service branch,served in,unit | serve join enlist branch army navy officer force career commission | in of with into | patient
conflict,fought in,battle,war | fight battle war serve part campaign | in during at | patient
designated,designated as | designate list classify terrorist organization proscribe recognize consider | by | agent
next higher,superior | above higher rank equivalent senior | to than | 
lower,inferior | below lower junior rank | to than | 
successor,followed by,succeeded by,replaced by,next | follow succeed sequel replace successor next precede before | by | agent
predecessor,preceded by,follows,replaces,previous | follow succeed sequel replace predecessor precede previous after | of to after | patient
named after,eponym | name honor honour eponym | after for | patient
wing,configuration | wing biplane monoplane aircraft tail engine | | 
cost,budget,price | cost budget price spend million | of for | 
revenue,income,box office | gross earn revenue income million box | of | 
population,inhabitants | population inhabitant people | of | 
area,length,height,width,mass,weight,elevation,depth,size | area length height high long wide tall weigh elevation measure | of | 
number,count,quantity | number total | of | 
duration,runtime | last minute hour run duration | for | 
currency | currency pay | in | 
material,made of,made from | make material build construct | of from | 
ingredient | ingredient contain make dish | with from of | 
treats,treatment,treated with,therapy | treat treatment therapy cure drug prescribe | with for of | 
causes,cause,caused by,leads to,results in | cause lead result trigger due produce | to in by of | 
symptom | symptom sign present characterize | of with by | 
side effect,adverse | effect adverse include | of | 
prevents,inhibits,blocks | prevent inhibit block reduce suppress | | patient
interacts,interaction | interact interaction bind | with to | 
uses,used by,used for,use | use utilize employ apply rely | by for in with | 
supports,compatible | support compatible run | with on by | 
depends,requires,dependency | depend require need rely | on upon | patient
implements,written in,programming language | write implement program language | in | 
platform,operating system | platform release run available system console | for on | 
license,licensed | license distribute release | under | 
industry,sector,field,field of work,specialty | industry field specialize work business research known | in of | 
product,produces,sells,makes | produce product sell make manufacture offer | | patient
supplier,supplied by,customer,client | supply supplier customer provide sell client | by to from | agent
invested in,investor,funded by,funding | invest investor fund investment finance back | in by from | agent
partner,partnership,collaborates,collaborator | partner partnership collaborate agreement alliance work | with between | 
competitor,competes with,rival | compete competitor rival opponent | with against of | 
merged | merge combine merger | with into | 
signed,agreement,contract,party to | sign agree contract treaty agreement | with between by | 
regulated by,governs,regulates,applies to | regulate govern apply law comply | by to under | agent
cites,references,refers | cite refer reference mention | to in | patient
reports to,supervisor,manager of | report supervise manager | to by under | patient
visited,traveled | visit travel go | to | patient
killed,killed by,murdered | kill murder assassinate shoot | by | agent
influenced by,influence | influence inspire | by | agent
tributary,flows into,mouth,river | flow tributary join empty river | into of to | 
borders,neighbor,adjacent,shares border | border adjacent neighbor boundary next | with to | 
twin town | twin sister town | with of | 
elected,voted | elect vote | by in | patient
arrested,charged,convicted,accused | arrest charge convict accuse sentence | of for with by | patient
opposed,criticized | oppose criticize against | by | patient
`;

export interface Notion {
  /** Names of edge types, each as words in small letters. */
  readonly keys: readonly string[];
  readonly triggers: readonly string[];
  readonly prepositions: readonly string[];
  readonly role: TargetRole;
}

/** Who an edge's target is in a clause of the edge's verb: its agent, what it is done to, or either. */
export type TargetRole = "agent" | "patient" | "any";

export function readNotions(): readonly Notion[] {
  return lines.trim().split("\n").map(readNotion);
}

function readNotion(line: string): Notion {
  const [keys = "", triggers = "", prepositions = "", role = ""] = line.split("|").map((part) => part.trim());
  const words = (text: string) => text.split(" ").filter((word) => word !== "");
  return {
    keys: keys.split(","),
    triggers: words(triggers),
    prepositions: words(prepositions),
    role: role === "agent" || role === "patient" ? role : "any",
  };
}
