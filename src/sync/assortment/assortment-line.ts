/** One product as a list names it, before it is checked. */
export interface AssortmentLine {
  /** As written. */
  gtin: string;
  family: string | undefined;
  /** `content/assortment/haldenwerk.yaml:12`. */
  place: string;
}

/** A family as a list describes it. */
export interface AssortmentFamily {
  id: string;
  names: Record<string, string>;
  descriptions: Record<string, string>;
  highlights?: string[][] | undefined;
  place: string;
}

/** Something that is wrong in a list. */
export interface AssortmentProblem {
  place: string;
  problem: string;
  /** How to put it right, where there is more to say than the problem does. */
  hint?: string;
}

/** What one list says, in its order, with everything that is wrong with its form. */
export interface ParsedAssortment {
  families: AssortmentFamily[];
  lines: AssortmentLine[];
  problems: AssortmentProblem[];
}
