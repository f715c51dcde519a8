/** A listed product before validation. */
export interface AssortmentLine {
  /** As written in the list. */
  gtin: string;
  family: string | undefined;
  /** File and line, such as `content/assortment/haldenwerk.yaml:12`. */
  place: string;
}

/** A family as described in a list. */
export interface AssortmentFamily {
  id: string;
  names: Record<string, string>;
  descriptions: Record<string, string>;
  highlights?: string[][] | undefined;
  place: string;
}

/** A problem in a list. */
export interface AssortmentProblem {
  place: string;
  problem: string;
  /** How to fix it, if the problem alone doesn't say. */
  hint?: string;
}

/** Content of a list in its order, with all format problems. */
export interface ParsedAssortment {
  families: AssortmentFamily[];
  lines: AssortmentLine[];
  problems: AssortmentProblem[];
}
