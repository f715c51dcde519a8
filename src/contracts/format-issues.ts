/** Groups similar problems of several records for people. */
export interface IssueLines {
  /** What is affected, in the plural where there are several: `3 product records`, `product 9524010000016 de-de`. */
  who: string;
  /** What is wrong, without values that differ from record to record. */
  what: string;
  /** The first of the records, each with the value that shows it. */
  examples: readonly string[];
  /** Records beyond the examples. */
  more: number;
  /** What to do about it: an imperative. */
  advice: string | undefined;
}

/**
 * The one form in which a list of problems is printed, whatever command has found them:
 *
 *     3 product records: price is neither a number nor a text with a decimal point
 *       9524010000016 de-de: "n/a"
 *       … and 2 more
 *       -> Have it corrected at the product interface.
 */
export function formatIssueLines(issues: readonly IssueLines[]): string {
  return issues
    .flatMap(({ who, what, examples, more, advice }) => [
      `  ${who}: ${what}`,
      ...examples.map((example) => `    ${example}`),
      ...(more > 0 ? [`    … and ${more} more`] : []),
      ...(advice === undefined ? [] : [`    -> ${advice}`]),
    ])
    .join('\n');
}

/** `1 post`, `2 posts`, `3 categories`. */
export function countNoun(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
