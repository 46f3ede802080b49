/** Concepts of people, organizations, places and events. */
import type { Concept } from "./concept.ts";
import { BUILDING_NOUNS, INSTITUTION_NOUNS, TRADE_NOUNS } from "./trade-nouns.ts";

export const PEOPLE_AND_GROUPS: readonly Concept[] = [
  {
    names: "person,people,human,individual,character",
    words:
      "man,woman,boy,girl,son,daughter,brother,sister,father,mother,wife,husband,friend,colleague,mr.,mrs.,ms.,dr.,sir,lord,lady,captain,saint,st.,mr,mrs,dr",
  },
  {
    names: "researcher,scientist,scholar,academic,inventor,mathematician,physicist",
    broader: "person",
    words:
      "professor,physicist,chemist,biologist,mathematician,psychologist,engineer,statistician,astronomer,philosopher,linguist,economist,geologist,geneticist,logician,researcher,scientist,theorist,botanist,zoologist,naturalist,informatician,historian,neuroscientist,programmer,pioneer,postdoc,phd",
    known:
      "albert einstein,isaac newton,charles darwin,marie curie,niels bohr,alan turing,john von neumann,claude shannon,noam chomsky,richard feynman,galileo galilei,nikola tesla,donald knuth",
  },
  {
    names: "writer,author,poet,novelist,playwright,dramatist",
    broader: "person",
    words:
      "novelist,poet,author,playwright,dramatist,essayist,writer,journalist,critic,biographer,translator,screenwriter,storyteller,lyricist,columnist,satirist,diarist",
    known:
      "william shakespeare,shakespeare,charles dickens,dickens,jane austen,leo tolstoy,tolstoy,homer,dante,virgil,goethe,ernest hemingway,mark twain,victor hugo,oscar wilde,franz kafka,kafka,james joyce,edgar allan poe,j.r.r. tolkien,george orwell,chaucer,milton,voltaire,cervantes",
  },
  {
    names: "musical artist,musician,singer,artist,composer,performer,rapper",
    broader: "person",
    words:
      "singer,rapper,guitarist,drummer,bassist,pianist,violinist,composer,songwriter,musician,vocalist,dj,soprano,tenor,baritone,conductor,cellist,saxophonist,trumpeter,keyboardist,frontman,percussionist,organist,flautist,artist,producer",
    known:
      "mozart,beethoven,bach,elvis presley,madonna,michael jackson,bob dylan,david bowie,frank sinatra,johnny cash,elton john,miles davis,prince,beyoncé,rihanna,eminem,bob marley,jimi hendrix,paul mccartney,john lennon",
  },
  {
    names: "politician,statesman,leader,ruler,monarch",
    broader: "person",
    words:
      "president,minister,chancellor,senator,governor,mayor,king,queen,emperor,prince,princess,congressman,congresswoman,premier,politician,mp,secretary,representative,statesman,deputy,ambassador,tsar,sultan,candidate,speaker,duke,councillor",
    known:
      "abraham lincoln,george washington,winston churchill,barack obama,donald trump,bill clinton,ronald reagan,margaret thatcher,tony blair,nelson mandela,adolf hitler,joseph stalin,napoleon,angela merkel,vladimir putin,john f. kennedy",
  },
  {
    names: "athlete,player,sportsperson,footballer",
    broader: "person",
    words:
      "footballer,striker,goalkeeper,midfielder,defender,quarterback,pitcher,swimmer,runner,boxer,wrestler,cyclist,golfer,skater,gymnast,coach,jockey,batsman,bowler",
  },
  {
    names: "actor,actress,director,film director",
    broader: "person",
    words: "actor,actress,director,comedian,filmmaker,star,host,presenter,dancer,choreographer",
  },
  {
    names: "employee,manager,executive,founder,businessperson,entrepreneur",
    broader: "person",
    words:
      "ceo,cto,cfo,founder,cofounder,executive,manager,chairman,chairwoman,entrepreneur,businessman,businesswoman,banker,analyst,employee,boss",
  },
  {
    names: "soldier,officer,military person",
    broader: "person",
    words: "general,colonel,admiral,sergeant,lieutenant,major,commander,marshal,soldier,corporal,private",
  },
  {
    names: "organization,organisation,group,institution,agency,body",
    heads: INSTITUTION_NOUNS,
    words:
      "organization,organisation,association,foundation,agency,society,union,committee,council,institute,group,commission,ministry,department,bureau,federation,alliance,league,board,office,center,centre,authority,consortium,laboratory,labs,lab,library,church,congress,parliament,senate,army,navy,police,court,museum,hospital,theatre,academy,trust,fund,administration,service,network,corps,guild",
    known:
      "united nations,un,nato,european union,eu,unesco,unicef,nasa,darpa,ieee,acm,fbi,cia,nsa,bbc,cnn,nbc,abc,cbs,mtv,fifa,who,imf,world bank,red cross,greenpeace,nist,cern,esa,opec,itu,iso,w3c,faa,fda,epa,interpol,uefa,nba,nfl,mlb,nhl,ioc,supreme court,congress,parliament,house of commons,house of lords,european parliament,national science foundation,nsf,royal society,bell labs,library of congress",
  },
  {
    names: "company,corporation,business,firm,enterprise,vendor,manufacturer",
    heads: TRADE_NOUNS,
    broader: "organization",
    words:
      "company,corporation,inc,inc.,corp,corp.,ltd,ltd.,llc,gmbh,plc,co.,co,group,holdings,industries,firm,enterprises,motors,airlines,bank,technologies,systems,electronics,startup,manufacturer,supplier,retailer,entertainment,partners,laboratories,brothers",
    known:
      "google,microsoft,apple,amazon,facebook,ibm,intel,oracle,hp,dell,cisco,xerox,siemens,samsung,sony,nokia,toyota,honda,ford,general motors,general electric,boeing,airbus,at&t,verizon,netflix,twitter,tesla,nvidia,amd,nintendo,panasonic,philips,volkswagen,bmw,mercedes-benz,disney,walmart,nike,adidas,uber,spotify,ebay,paypal,yahoo,yahoo!,adobe,hitachi,toshiba,mitsubishi,motorola,qualcomm,texas instruments,kuka,unimation,honeywell,lockheed martin,openai,deepmind,baidu,alibaba,tencent,huawei",
  },
  {
    names: "record label,label,publisher,studio",
    broader: "company",
    words: "records,recordings,label,publishing,press,publisher,books,studios,pictures,films,music",
    known:
      "warner bros.,universal,emi,capitol records,columbia records,atlantic records,rca,motown,penguin,random house,harpercollins,paramount,mgm",
  },
  {
    names: "university,college,school,academy",
    isTold: true,
    broader: "organization",
    words:
      "university,college,school,academy,polytechnic,institute,universität,université,faculty,campus,conservatory,conservatoire,seminary",
    known:
      "mit,harvard,stanford,yale,princeton,oxford,cambridge,caltech,cornell,columbia,ucla,uc berkeley,berkeley,eth zurich,carnegie mellon,cmu,georgia tech,massachusetts institute of technology,california institute of technology,imperial college london,ucl,nyu,dartmouth,duke,brown,rutgers,usc,johns hopkins,virginia tech,epfl,tu berlin,tu delft,sorbonne",
  },
  {
    names: "band,musical group,orchestra,ensemble",
    broader: "organization",
    words:
      "band,orchestra,quartet,trio,duo,ensemble,choir,philharmonic,symphony,quintet,supergroup,boys,brothers,sisters,girls",
    known:
      "the beatles,beatles,the rolling stones,rolling stones,queen,pink floyd,led zeppelin,u2,metallica,nirvana,abba,radiohead,coldplay,the who,the doors,the beach boys,black sabbath,deep purple,ac/dc,pearl jam,oasis,blur,r.e.m.,genesis,the clash,iron maiden,kraftwerk,green day,the kinks",
  },
  {
    names: "political party,party",
    broader: "organization",
    words:
      "party,democrats,republicans,conservatives,liberals,greens,socialists,communists,coalition,bloc,front,union,labour,christian democrats,social democrats,nationalists,partei",
    known:
      "labour,labor,democratic,republican,gop,tories,liberal democrats,conservative,spd,cdu,bjp,anc,fidesz,snp,plaid cymru,whigs,whig,syriza,podemos,fine gael,fianna fáil,sinn féin,likud",
  },
  {
    names: "team,sports team,club",
    broader: "organization",
    words:
      "team,club,fc,united,rovers,athletic,squad,wanderers,rangers,giants,tigers,lions,bears,eagles,sox,city,albion",
    known:
      "manchester united,real madrid,barcelona,arsenal,chelsea,liverpool,juventus,bayern munich,new york yankees,boston red sox,dallas cowboys,los angeles lakers",
  },
  {
    names: "newspaper,magazine,journal,periodical",
    broader: "publication",
    words:
      "newspaper,magazine,journal,weekly,review,gazette,herald,tribune,chronicle,quarterly,monthly,times,post,daily,bulletin,digest,fanzine",
    known:
      "the new york times,new york times,the guardian,the times,washington post,time,newsweek,rolling stone,the new yorker,new yorker,playboy,wired,forbes,the economist,vogue,le monde,der spiegel,wall street journal,los angeles times,usa today,billboard,the atlantic,harper's,esquire,nme,punch,national geographic",
  },
  {
    names: "academic journal,scientific journal,journal",
    broader: "publication",
    words:
      "journal,transactions,letters,proceedings,annals,acta,review,reviews,bulletin,communications,archives",
    known:
      "nature,science,cell,the lancet,lancet,pnas,plos one,physical review,physical review letters,icarus,jama,new england journal of medicine,scientific american",
  },
  {
    names: "location,place,area,region,site,venue,facility,landmark",
    words:
      "river,lake,mountain,island,valley,bay,street,road,avenue,square,park,bridge,airport,station,stadium,arena,hall,palace,castle,tower,building,desert,sea,ocean,peninsula,forest,village,district,region,province,state,county,cathedral,temple,theatre,garden,gardens,hotel,plaza,canyon,coast,beach,harbor,harbour,cemetery,house,museum,gallery,fort,mount,north,south,east,west,border",
    known:
      "europe,asia,africa,north america,south america,america,antarctica,oceania,middle east,scandinavia,siberia,balkans,latin america,far east,silicon valley,hollywood,broadway,manhattan,brooklyn,hyde park,wembley,alps,himalayas,mediterranean,atlantic,pacific,caribbean,eiffel tower,madison square garden,royal albert hall,white house",
  },
  {
    names: "building,house,structure,edifice,monument",
    broader: "location",
    heads: BUILDING_NOUNS,
    words:
      "building,house,tower,palace,castle,hall,church,cathedral,temple,chapel,abbey,mosque,manor,cottage,villa,mansion,mill,barn,lighthouse,hotel,inn,stadium,arena,theatre,museum,station,fort",
  },
  {
    names: "country,nation,sovereign state",
    isTold: true,
    broader: "location",
    words: "country,nation,republic,kingdom,empire,dynasty,monarchy",
    known:
      "england,scotland,wales,great britain,britain,soviet union,ussr,yugoslavia,czechoslovakia,holland,west germany,east germany,russian empire,roman empire,ottoman empire,byzantine empire,british empire,austria-hungary,prussia,nazi germany,korea",
  },
  {
    names: "city,town,village,settlement,municipality,capital",
    broader: "location",
    words: "city,town,village,suburb,capital,municipality",
    known:
      "london,paris,berlin,rome,madrid,vienna,moscow,tokyo,beijing,shanghai,new york,new york city,los angeles,chicago,boston,san francisco,seattle,philadelphia,washington,washington d.c.,houston,dallas,miami,atlanta,detroit,toronto,montreal,vancouver,sydney,melbourne,amsterdam,rotterdam,brussels,zurich,geneva,munich,hamburg,frankfurt,cologne,milan,venice,florence,naples,turin,barcelona,lisbon,dublin,edinburgh,glasgow,manchester,liverpool,birmingham,leeds,bristol,cardiff,belfast,copenhagen,stockholm,oslo,helsinki,warsaw,prague,budapest,athens,istanbul,constantinople,cairo,jerusalem,tel aviv,baghdad,tehran,delhi,new delhi,mumbai,calcutta,kolkata,bangalore,chennai,karachi,lahore,dhaka,bangkok,jakarta,manila,seoul,kyoto,osaka,cape town,johannesburg,nairobi,lagos,buenos aires,rio de janeiro,são paulo,mexico city,havana,lima,bogotá,santiago,leipzig,dresden,stuttgart,krakow,saint petersburg,st. petersburg,leningrad,kiev,minsk,bucharest,sofia,belgrade,zagreb,nashville,memphis,new orleans,las vegas,denver,phoenix,portland,san diego,pittsburgh,cleveland,cincinnati,baltimore,milwaukee,minneapolis,st. louis,kansas city,austin,lyon,marseille,antwerp,ghent,bologna,genoa,seville",
  },
  {
    names: "state,province,county,territory",
    isTold: true,
    broader: "location",
    words: "state,province,county,territory,prefecture,canton",
    known:
      "california,texas,florida,new jersey,massachusetts,pennsylvania,ohio,illinois,michigan,virginia,georgia,north carolina,south carolina,tennessee,kentucky,alabama,mississippi,louisiana,arkansas,missouri,iowa,minnesota,wisconsin,indiana,maryland,delaware,connecticut,rhode island,vermont,new hampshire,maine,kansas,nebraska,oklahoma,colorado,utah,nevada,arizona,new mexico,oregon,idaho,montana,wyoming,alaska,hawaii,north dakota,south dakota,west virginia,ontario,quebec,british columbia,alberta,bavaria,saxony,catalonia,andalusia,tuscany,sicily,normandy,queensland,new south wales,victoria,tasmania,yorkshire,kent,sussex,cornwall,essex",
  },
  {
    names: "river,lake,sea,ocean,body of water",
    isTold: true,
    broader: "location",
    words: "river,lake,sea,ocean,creek,gulf,strait,canal,falls,reservoir",
    known:
      "nile,amazon,danube,rhine,thames,mississippi,volga,seine,ganges,yangtze,baltic sea,black sea,north sea,red sea",
  },
  {
    names: "astronomical object,planet,star,galaxy,celestial body",
    broader: "location",
    words:
      "planet,star,galaxy,comet,asteroid,moon,nebula,constellation,satellite,cluster,pulsar,quasar,dwarf,exoplanet,crater",
    known:
      "sun,earth,moon,mars,venus,mercury,jupiter,saturn,uranus,neptune,pluto,milky way,andromeda,ceres,vesta,eris,titan,europa,ganymede,io,callisto,halley's comet,sirius,betelgeuse,alpha centauri,solar system,kuiper belt,pallas,charon,triton,enceladus",
  },
  {
    names: "event,occasion,incident,competition,tournament,festival",
    words:
      "war,battle,revolution,festival,championship,championships,cup,games,tour,concert,ceremony,competition,contest,tournament,olympics,exhibition,expo,summit,crisis,uprising,rebellion,massacre,treaty,siege,revolt,riots,attack,attacks,coup,crusade,race,final,finals,season,debate,trial,scandal,holocaust,mission",
    known:
      "world war i,world war ii,first world war,second world war,cold war,vietnam war,world cup,olympic games,olympics,french revolution,american civil war,civil war,great depression,holocaust,renaissance,industrial revolution,eurovision song contest,super bowl,woodstock,coachella,glastonbury",
  },
  {
    names: "election,referendum,vote",
    isTold: true,
    broader: "event",
    words: "election,elections,referendum,primary,primaries,by-election,plebiscite,ballot,runoff",
  },
  {
    names: "conference,congress,workshop,symposium,meeting",
    isTold: true,
    broader: "event",
    words: "conference,workshop,symposium,congress,convention,proceedings,meeting,colloquium,seminar,forum",
    known:
      "nips,neurips,icml,acl,emnlp,naacl,cvpr,iccv,eccv,aaai,ijcai,sigir,siggraph,kdd,iclr,interspeech,icassp,chi,www,coling,icra,sigmod,vldb,sosp",
  },
];
