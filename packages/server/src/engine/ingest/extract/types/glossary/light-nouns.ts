/** Nouns for what is done, felt or counted, general English: "makes progress" makes no product. In small letters. */
export const LIGHT_NOUNS: ReadonlySet<string> = new Set(
  `progress money profit profits loss losses mistake mistakes error errors decision decisions plan plans effort efforts change changes
  sense use uses friend friends time times way ways difference differences choice choices deal deals offer offers claim claims
  statement statements comment comments noise attempt attempts arrangement arrangements appearance appearances contribution contributions
  improvement improvements investment investments payment payments promise promises suggestion suggestions sales revenue revenues income
  debt debts job jobs work help support people others thing things something anything everything nothing result results news advice
  information problem problems issue issues delay delays trouble troubles damage harm concern concerns confusion attention interest demand
  growth success failure failures history headlines room space peace war love fun sure part parts place places steps step action actions
  contact calls call visit visits trip trips speech speeches evidence proof reason reasons cause causes effect effects impact influence
  control power access permission responsibility credit blame doubt hope fear anger joy pleasure example examples number numbers amount
  amounts lots plenty men women children members staff employees customers clients patients users visitors readers students teachers
  year years month months week weeks day days hour hours minute minutes today tomorrow yesterday order orders fame talks peace notes note
  cuts cut gains gain losses rules rule laws law rights right services service business businesses experience experiences ideas idea`
    .trim()
    .split(/\s+/),
);
