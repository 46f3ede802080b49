/** Nouns that say what a thing has and are no things of their own. */

const PROPERTY_HEADS: ReadonlySet<string> = new Set(
  [
    "name title date price cost weight height width length depth size age status state amount quantity email phone",
    "id identifier code number description color colour duration rating score version salary budget gender sex",
    "birthday birthdate nationality currency percentage rate ratio frequency intensity severity priority url link",
    "address postcode zip latitude longitude coordinate coordinates dosage dose strength volume capacity speed",
    "temperature pressure power voltage value total balance fee fare tax discount margin revenue turnover profit income",
    "deadline timestamp time year month day count rank grade gpa level stage phase format isbn",
    "issn doi sku barcode abstract synopsis bio biography caption label tag type kind abbreviation",
    "acronym symbol formula texture flavor flavour calories population elevation altitude acreage",
    "mileage horsepower tonnage displacement serial mac ip hostname expiry expiration validity reason",
    "remark urgency probability likelihood confidence accuracy importance difficulty quality",
    "purpose reputation headcount seniority wage mood sentiment tone pronoun nickname",
    "alias founding motto slogan logo yield purity density mass charge",
    "wavelength magnitude distance diameter radius thickness caliber range lifespan half-life founded runtime period",
    "era technique dimensions dimension pages page-count impression circulation",
    "area rent load limit quota occupation plate vin make model-year trim fuel breed pedigree allergens servings calorie",
  ]
    .join(" ")
    .split(" "),
);

/** Whether a noun, singular, names a property: "start date", "price", "date of birth". */
export function isPropertyNoun(head: string): boolean {
  return PROPERTY_HEADS.has(head);
}
