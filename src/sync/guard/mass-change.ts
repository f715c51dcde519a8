/** A change of many records at once that is more likely a fault than meant. */
export interface MassChange {
  /** `31 of 120 products in de-de would be removed (at most 12)`. */
  what: string;
  /** Every record it is about, with what happens to it; the first ones are shown. */
  records: string[];
}
