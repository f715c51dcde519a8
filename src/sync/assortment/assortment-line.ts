/** One product as listed, before it is checked. */
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

/** A problem in a list. */
export interface AssortmentProblem {
  place: string;
  problem: string;
  /** How to fix it, if the problem alone doesn't say. */
  hint?: string;
}

/** The content of one list, in its order, with all problems of its format. */
export interface ParsedAssortment {
  families: AssortmentFamily[];
  lines: AssortmentLine[];
  problems: AssortmentProblem[];
}
