/** Nouns that end the names of businesses and works, general English: "Rowan Foundry", "Ostrava Steel", "Sundqvist Boats". */

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** What a business is, or what it deals in; the latter mostly in the plural, as people's names are not. */
export const TRADE_NOUNS: ReadonlySet<string> = words(`
  foundry brewery bakery tannery winery distillery refinery dairy creamery sawmill papermill shipyard boatyard works ironworks
  steelworks gasworks waterworks ropeworks cooperative workshop workshops studio studios consultancy consulting logistics insurance
  assurance mutual ventures capital investments securities savings telecom telecommunications media broadcasting publishers printers
  pharma pharmaceuticals biotech therapeutics diagnostics chemicals plastics polymers coatings fertilisers fertilizers
  energy petroleum oil gas power electric electrics electronics semiconductors robotics automation instruments optics
  steel metals castings forgings alloys mining minerals cement bricks glass ceramics timber lumber paper packaging
  textiles fabrics knitwear garments clothing footwear looms leather furnishings furniture interiors
  foods beverages brands confectionery beers wines spirits teas coffees bakers butchers brewers distillers farms fisheries
  freight shipping ferries cruises airways aviation aerospace railways railroad buses coaches trucks lorries motors motorcycles cycles bicycles
  boats yachts marine wheels tyres tires engines pumps valves tools machines machinery boilers turbines batteries cables cable
  engineering builders construction homes properties estates developments realty architects solicitors attorneys associates
  software systems solutions technologies networks analytics games toys outfitters stores supermarkets supplies traders trading
  exports imports products services enterprises`);

/** What people put up and dig: names that end with these are places. */
export const BUILDING_NOUNS: ReadonlySet<string> = words(`
  house cottage manor lodge mansion villa farm farmhouse barn windmill watermill lighthouse reservoir quarry mine colliery dam pier wharf
  quay dock docks inn tavern chapel abbey priory monastery convent minster mosque synagogue shrine pagoda fortress citadel barracks
  pavilion arcade aqueduct viaduct tunnel lock mill warehouse factory prison jail greenhouse boathouse courthouse
  guesthouse orchard vineyard plantation ranch estate woods wood meadow marsh moor moors heath common green ridge gorge glen dale cliff cliffs
  waterfall falls spring springs lagoon estuary fjord sound strait shoal reef bank`);

/** Institutions that names of organisations end with beside those of `ANCHOR_NOUNS`. */
export const INSTITUTION_NOUNS: ReadonlySet<string> = words(`
  observatory laboratory clinic hospice infirmary dispensary nursery kindergarten seminary conservatory archive archives gazette herald
  tribune chronicle courier examiner guild lodge fund charity mission ministry commission tribunal ballet choir quartet ensemble
  collective syndicate consortium alliance bureau office secretariat constabulary`);
