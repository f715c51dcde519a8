/** A change of many records at once that is more likely an error than intended. */
export interface MassChange {
  /** `31 of 120 products in de-de would be removed (at most 12)`. */
  what: string;
  /** All records it affects, with what happens to each; the first ones are shown. */
  records: string[];
}
