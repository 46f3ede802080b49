/** Concepts of works, products, substances, and terms of the arts and sciences. */
import type { Concept } from "./concept.ts";

export const WORKS_AND_TERMS: readonly Concept[] = [
  {
    names: "work,creative work,work of art,artwork",
    words: "work,painting,sculpture,portrait,film,play,opera,ballet,musical,series,show,comic,soundtrack",
    known: "mona lisa",
  },
  {
    names: "publication,article,paper,document,report",
    broader: "work",
    words: "article,paper,report,thesis,encyclopedia,dictionary,manual,document,website,blog",
  },
  {
    names: "book,novel",
    broader: "publication",
    words:
      "novel,book,novella,autobiography,biography,memoir,trilogy,anthology,textbook,bestseller,saga,volume,monograph,treatise,sequel,play,story,tales,comedy,tragedy,drama,guide,handbook,chronicles",
    known:
      "the bible,bible,quran,iliad,odyssey,hamlet,macbeth,don quixote,war and peace,ulysses,the lord of the rings,the hobbit,moby-dick,dracula,frankenstein,pride and prejudice,faust,romeo and juliet",
  },
  {
    names: "poem,poetry",
    broader: "publication",
    words: "poem,sonnet,ode,ballad,elegy,verse,haiku,epic,hymn,psalm,stanza,lament",
    known: "beowulf,the waste land,paradise lost,the raven",
  },
  {
    names: "film,movie,television show,tv series",
    broader: "work",
    words: "film,movie,sitcom,series,show,documentary,episode,thriller,comedy,remake,drama",
    known: "star wars,star trek,casablanca,titanic,the simpsons,citizen kane,doctor who,saturday night live",
  },
  {
    names: "album,record",
    broader: "work",
    words: "album,lp,ep,record,compilation,soundtrack,mixtape,debut,discography",
  },
  {
    names: "song,single,track,musical work",
    broader: "work",
    words: "song,single,track,tune,anthem,hit,ballad,cover,aria,lullaby,remix,b-side",
  },
  {
    names: "award,prize,medal,honour,honor",
    isTold: true,
    words:
      "award,awards,prize,medal,grammy,oscar,trophy,nobel,fellowship,medallion,grammys,knighthood,order,scholarship,honor,honour,nomination",
    known:
      "nobel prize,pulitzer prize,turing award,fields medal,academy award,academy awards,oscar,grammy award,grammy awards,grammy,emmy,tony award,booker prize,man booker prize,hugo award,nebula award,bafta,golden globe,guggenheim fellowship,national book award,macarthur fellowship,brit awards,victoria cross,order of the british empire,obe,cbe",
  },
  {
    names: "product,device,equipment,tool,artifact",
    words:
      "system,software,device,machine,robot,computer,toolkit,engine,camera,phone,console,platform,application,app,program,vehicle,aircraft,printer,sensor,chip,processor,instrument,gps,package,assistant,browser,keyboard,tablet,server,product,controller,arm,display,watch,toolbox,suite",
    known:
      "windows,linux,unix,android,ios,iphone,ipad,macintosh,playstation,xbox,photoshop,matlab,siri,alexa,wordnet,wikipedia,youtube,google search,google translate,excel,firefox,chrome,hadoop,tensorflow,pytorch,deep blue,alphago,watson,roomba,kinect,cortana,eliza",
  },
  {
    names: "software,application,operating system,framework,library",
    broader: "product",
    words:
      "software,library,framework,toolkit,compiler,editor,database,app,plugin,kernel,api,package,browser,middleware",
    known:
      "windows,linux,unix,android,ios,hadoop,tensorflow,pytorch,matlab,mathematica,scikit-learn,numpy,postgresql,mysql,docker,kubernetes,git,emacs",
  },
  {
    names: "vehicle,car,aircraft,ship",
    broader: "product",
    words:
      "car,aircraft,ship,plane,helicopter,truck,submarine,spacecraft,rocket,tank,locomotive,train,destroyer,frigate,bomber,fighter,shuttle,satellite",
  },
  {
    names: "weapon,gun",
    broader: "product",
    words: "gun,rifle,pistol,missile,bomb,sword,cannon,grenade,torpedo",
  },
  {
    names: "dataset,corpus,data set,data source",
    broader: "product",
    words: "dataset,corpus,database,treebank,benchmark,data",
    known: "imagenet,mnist,wordnet,cifar-10,penn treebank",
  },
  {
    names: "programming language,program lang,prog lang,computer language",
    isTold: true,
    broader: "term",
    words: "sql,bytecode,script",
    known:
      "python,java,c,c++,c#,javascript,typescript,perl,php,ruby,lisp,common lisp,scheme,prolog,fortran,cobol,pascal,haskell,scala,swift,go,rust,r,matlab,julia,ada,smalltalk,basic,visual basic,lua,erlang,clojure,ocaml,f#,kotlin,objective-c,sql,algol,apl,simula,ml,bash,vhdl,verilog,postscript,html,xml,css,forth,cython,groovy,delphi,s,sas,cuda,opencl,labview,dart,d,logo,assembly,.net",
  },
  {
    names: "language",
    isTold: true,
    broader: "term",
    words: "language,dialect,languages",
    known:
      "english,french,german,spanish,italian,latin,greek,ancient greek,chinese,mandarin,japanese,korean,arabic,hebrew,russian,polish,portuguese,dutch,swedish,norwegian,danish,finnish,hungarian,turkish,persian,hindi,urdu,bengali,tamil,telugu,sanskrit,swahili,irish,welsh,gaelic,yiddish,catalan,basque,czech,romanian,vietnamese,thai,old english,middle english,esperanto",
  },
  {
    names: "algorithm,model,method,technique,approach,architecture",
    broader: "term",
    words:
      "algorithm,network,networks,machine,machines,classifier,regression,filter,transform,descent,tree,trees,forest,clustering,search,propagation,backpropagation,sampling,autoencoder,perceptron,estimator,heuristic,optimization,kernel,model,models,boosting,lstm,rnn,cnn,gan,svm,svms,hmm,pca,decomposition,factorization,programming,analysis,method,technique,architecture,field,equation,encoder,decoder,transformer,inference,estimation,approximation,elimination,iteration,interpolation,smoothing,pooling",
    known:
      "support vector machine,svm,random forest,naive bayes,decision tree,neural network,convolutional neural network,artificial neural network,recurrent neural network,k-means,gradient descent,stochastic gradient descent,simulated annealing,genetic algorithm,expectation-maximization,em,logistic regression,linear regression,principal component analysis,pca,hidden markov model,markov chain,monte carlo,long short-term memory,lstm,backpropagation,adaboost,quicksort,a*,dijkstra's algorithm,k-nearest neighbor,kalman filter,fast fourier transform,fft,viterbi algorithm,beam search,q-learning,word2vec,bert,conditional random field,particle filter,gaussian process,deep neural network,bayesian network,minimax,autoencoder,generative adversarial network",
  },
  {
    names: "task,problem,activity,process",
    broader: "term",
    words:
      "recognition,translation,classification,detection,segmentation,retrieval,summarization,parsing,tagging,generation,tracking,prediction,extraction,understanding,answering,planning,synthesis,identification,estimation,analysis,labeling,clustering,disambiguation,localization,modeling,matching,registration,reconstruction,filtering,mining,verification,reduction,captioning,navigation,transcription,alignment,compression,resolution,ranking,selection,task,tasks,problem,processing,forecasting,diagnosis,categorization,indexing,regression",
    known:
      "machine translation,speech recognition,image recognition,face recognition,facial recognition system,object recognition,object detection,question answering,information retrieval,information extraction,sentiment analysis,named entity recognition,optical character recognition,ocr,handwriting recognition,text classification,image segmentation,speech synthesis,part-of-speech tagging,word-sense disambiguation,spam filtering,feature extraction,dimensionality reduction,anomaly detection,motion planning,pattern recognition,parsing,classification,text mining",
  },
  {
    names: "metric,measure,evaluation metric,score,indicator",
    broader: "quantity",
    words:
      "rate,score,accuracy,precision,recall,error,coefficient,curve,loss,likelihood,distance,similarity,correlation,entropy,divergence,ratio,measure,metric,perplexity,sensitivity,specificity,variance,deviation,f-measure,residual,throughput,latency,index,probability",
    known:
      "accuracy,precision,recall,f1,f1 score,f-score,f-measure,bleu,rouge,perplexity,mean squared error,mse,rmse,root mean square error,mean absolute error,auc,roc,roc curve,word error rate,error rate,sensitivity,specificity,r-squared,log-likelihood,cross-entropy,hinge loss,mutual information,cosine similarity,mean average precision,meteor,nist,psnr,ssim,false positive rate,true positive rate",
  },
  {
    names: "field,discipline,subject,academic discipline,area of study,branch of science,domain",
    broader: "term",
    words:
      "science,sciences,theory,engineering,studies,mathematics,learning,mining,vision,intelligence,linguistics,research,physics,chemistry,biology,logic,statistics,philosophy,medicine,psychology,processing,graphics,interaction,analytics,law,economics,geometry,algebra,mechanics,computing,dynamics,field,discipline,criticism,design,optimization",
    endings: "ology,ometry,onomy,istry,etics,tronics,nomics,ematics,istics,aphy,botics,netics,phics",
    known:
      "artificial intelligence,ai,machine learning,computer vision,natural language processing,nlp,deep learning,robotics,data mining,computer science,statistics,mathematics,physics,chemistry,biology,psychology,linguistics,philosophy,economics,medicine,computational linguistics,neuroscience,cognitive science,bioinformatics,astronomy,geology,sociology,anthropology,history,engineering,electrical engineering,signal processing,image processing,information theory,control theory,game theory,probability theory,reinforcement learning,supervised learning,unsupervised learning,cryptography,logic,genetics,biochemistry,molecular biology,ecology,botany,zoology,theology,law,literature,digital image processing,pattern recognition,computer graphics,software engineering,human-computer interaction,data science,operations research,mechanical engineering,astrophysics,quantum mechanics,thermodynamics",
  },
  {
    names: "theory,law,principle,theorem,hypothesis",
    broader: "term",
    words:
      "theory,law,theorem,hypothesis,principle,conjecture,model,relativity,equation,equations,paradox,effect,evolution,mechanics,interpretation",
    known:
      "general relativity,special relativity,relativity,quantum mechanics,evolution,natural selection,big bang,string theory,plate tectonics",
  },
  {
    names: "music genre,musical genre,musical style",
    broader: "genre",
    words:
      "music,rock,metal,pop,jazz,punk,folk,house,techno,rap,hop,soul,blues,wave,trance,core,disco,dance,opera,funk,bop,electronica,style,beat",
    endings: "core,step,wave,pop,beat",
    known:
      "rock,pop,jazz,blues,hip hop,hip-hop,rap,country,folk,reggae,soul,r&b,rhythm and blues,funk,disco,punk,punk rock,heavy metal,metal,techno,house,electronic,electronica,ambient,classical,gospel,ska,grunge,indie rock,alternative rock,rock and roll,rock 'n' roll,new wave,hard rock,progressive rock,psychedelic rock,death metal,black metal,thrash metal,synthpop,pop rock,folk rock,dance,edm,dubstep,drum and bass,trance,salsa,samba,bossa nova,tango,swing,bebop,world music,new age,country music,jazz fusion,soft rock,garage rock,industrial,trip hop,dancehall,dub,bluegrass,doo-wop,latin,flamenco,indie pop,indie,opera,chamber music,film score,britpop,emo,glam rock,hardcore,metalcore,post-punk,rockabilly,skiffle,ragtime,acid jazz,art rock,electropop,easy listening,a cappella",
  },
  {
    names: "literary genre,film genre,genre of literature",
    broader: "genre",
    words:
      "fiction,novel,novels,poetry,drama,romance,thriller,satire,fantasy,comedy,tragedy,horror,fable,essay,story,stories,memoir,biography,mystery,tale,tales,plays,verse,prose,literature,play,poem,poems,novella,comics,essays,criticism,westerns,parody",
    known:
      "science fiction,fantasy,horror,poetry,drama,novel,short story,short stories,crime fiction,detective fiction,mystery,romance,historical fiction,historical novel,children's literature,satire,comedy,tragedy,epic poetry,nonfiction,non-fiction,biography,autobiography,fairy tale,essay,memoir,magic realism,magical realism,gothic fiction,young adult,graphic novel,thriller,speculative fiction,dystopian fiction,travel writing,literary criticism,epic,lyric poetry,prose,cyberpunk,steampunk,alternate history,folklore,realism,romanticism,utopian fiction,urban fantasy,western,fan fiction,verse,journalism",
  },
  { names: "genre,style,form,category", broader: "term", words: "genre,style,form,movement", endings: "ism" },
  {
    names: "musical instrument,instrument",
    isTold: true,
    broader: "product",
    words:
      "guitar,piano,violin,drums,bass,flute,saxophone,organ,keyboard,keyboards,trumpet,cello,clarinet,harp,percussion,synthesizer,harmonica,banjo,mandolin,vocals,strings,horn,horns,lute,drum",
    known:
      "guitar,electric guitar,acoustic guitar,bass guitar,bass,piano,violin,viola,cello,double bass,drums,flute,saxophone,tenor saxophone,alto saxophone,trumpet,trombone,tuba,french horn,clarinet,oboe,bassoon,harp,organ,hammond organ,keyboard,keyboards,synthesizer,harmonica,banjo,mandolin,ukulele,accordion,percussion,xylophone,vibraphone,tambourine,sitar,tabla,lute,harpsichord,bagpipes,recorder,piccolo,fiddle,congas,bongos,steel guitar,pedal steel guitar,didgeridoo,theremin,mellotron,moog synthesizer,timpani,glockenspiel,cymbals,snare drum,drum machine,turntables,erhu,koto,shamisen,strings",
  },
  {
    names: "chemical element,element",
    isTold: true,
    broader: "substance",
    words: "isotope,element,metal",
    known:
      "hydrogen,helium,lithium,beryllium,boron,carbon,nitrogen,oxygen,fluorine,neon,sodium,magnesium,aluminium,aluminum,silicon,phosphorus,sulfur,sulphur,chlorine,argon,potassium,calcium,titanium,chromium,manganese,iron,cobalt,nickel,copper,zinc,gallium,germanium,arsenic,selenium,bromine,krypton,strontium,zirconium,molybdenum,silver,cadmium,tin,antimony,iodine,xenon,caesium,cesium,barium,tungsten,platinum,gold,mercury,lead,bismuth,radon,radium,thorium,uranium,plutonium,americium,curium,iridium,palladium,rhodium,ruthenium,osmium,tellurium,polonium,vanadium,yttrium,lanthanum,cerium,neodymium,deuterium,tritium,californium,berkelium,einsteinium,fermium",
  },
  {
    names: "chemical compound,compound,chemical,molecule,material",
    broader: "substance",
    words:
      "acid,oxide,chloride,compound,salt,solution,ester,alcohol,polymer,hydroxide,sulfate,nitrate,carbonate,dioxide,ion,molecule,fluoride,peroxide,lipid,hormone,amine,methane",
    endings: "ide,ate,ane,ene,yne,ine,ol,one,ose",
    known:
      "water,ammonia,methane,carbon dioxide,ethanol,glucose,dna,rna,atp,benzene,sulfuric acid,hydrochloric acid,nitric acid,salt,ozone,acetone,methanol,cholesterol,cellulose,silica,graphite,diamond",
  },
  {
    names: "protein,gene,receptor",
    broader: "substance",
    words:
      "protein,receptor,antibody,antigen,gene,peptide,hemoglobin,factor,kinase,channel,transporter,subunit,complex,filament",
    endings: "in,gen",
    known: "insulin,hemoglobin,collagen,albumin,actin,myosin,keratin,p53,tubulin,histone,ferritin,interferon",
  },
  {
    names: "enzyme",
    broader: "substance",
    words:
      "enzyme,kinase,polymerase,synthase,protease,catalase,dehydrogenase,transferase,hydrolase,reductase,ligase,phosphatase",
    endings: "ase,psin",
    known: "pepsin,trypsin,lysozyme,amylase,lactase,rubisco",
  },
  {
    names: "substance,drug,medicine,medication",
    words: "drug,vaccine,antibiotic,medicine,steroid,narcotic,substance,hormone",
    known: "aspirin,penicillin,morphine,heroin,cocaine,ibuprofen,paracetamol,caffeine,lsd",
  },
  {
    names: "disease,disorder,symptom,medical condition,syndrome",
    broader: "substance",
    words:
      "disease,syndrome,cancer,disorder,infection,fever,pneumonia,influenza,virus,tumor,depression,pain,failure,deficiency,injury,stroke",
    endings: "itis,osis,emia,oma,pathy,algia",
    known:
      "cancer,diabetes,malaria,tuberculosis,hiv,aids,influenza,asthma,cholera,plague,leukemia,alzheimer's disease,parkinson's disease,schizophrenia,measles,polio,smallpox,covid-19,epilepsy,autism",
  },
  {
    names: "animal,species,plant,organism,bird,fish",
    broader: "substance",
    words:
      "species,bird,fish,mammal,insect,frog,snake,whale,tree,plant,flower,beetle,spider,bacterium,fungus,dog,cat,horse,genus,shark,rat,mouse,monkey,fossil",
    endings: "saurus",
  },
  { names: "term,concept,topic,idea", words: "concept,term,idea,notion" },
  {
    names: "sport,game",
    broader: "term",
    words: "football,game,polo,hockey,racing,wrestling,gymnastics",
    known:
      "football,soccer,basketball,baseball,tennis,cricket,rugby,golf,hockey,ice hockey,volleyball,boxing,swimming,chess,go,poker,cycling,athletics,skiing,badminton,judo,karate",
  },
  {
    names: "religion,faith,belief",
    broader: "group",
    words: "church,religion,sect",
    known:
      "christianity,islam,judaism,buddhism,hinduism,catholicism,protestantism,sikhism,taoism,shinto,catholic,muslim,jewish,buddhist,hindu,protestant",
    endings: "ism",
  },
  {
    names: "occupation,profession,job,position,role",
    broader: "term",
    words:
      "teacher,lawyer,engineer,writer,actor,singer,politician,journalist,physician,poet,composer,director",
  },
  { names: "group,nationality,ethnicity,ethnic group", words: "people,tribe,peoples,nationality,community" },
  { names: "quantity,number,amount", words: "million,billion,percent,dollars,kilometres,miles" },
  {
    names: "law,legislation,treaty,statute,act,regulation,directive",
    broader: "publication",
    words:
      "act,treaty,law,bill,constitution,amendment,convention,agreement,statute,charter,regulation,directive,ordinance,decree,code",
  },
];
