/** A change of many records at once, which is probably unintended. */
export interface MassChange {
  /** `31 of 120 products in de-de would be removed (at most 12)`. */
  what: string;
  /** All affected records, each with its change. Messages show the first ones. */
  records: string[];
}
