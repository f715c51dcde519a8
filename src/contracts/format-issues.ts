/** Similar problems of several records, grouped for display. */
export interface IssueLines {
  /** Affected records, in the plural if there are several: `3 product records`, `product 9524010000016 de-de`. */
  who: string;
  /** The problem, without values that differ between records. */
  what: string;
  /** The first records, each with its value. */
  examples: readonly string[];
  /** Number of further records. */
  more: number;
  /** Advice in the imperative. */
  advice: string | undefined;
}

/**
 * Formats a list of problems. All commands use this format:
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

/** Formats a count with its noun: `1 post`, `2 posts`, `3 categories`. */
export function countNoun(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
