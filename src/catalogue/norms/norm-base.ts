/**
 * The norm without national prefix and edition: `DIN EN 1928:2000-07` -> `EN 1928`. The same test carries the same
 * base in every country; what is shown is always the original.
 */
export function normBase(norm: string): string {
  const bare = norm.trim().replace(/\s+/g, ' ').replace(/:.*$/, '');
  return bare.replace(/^(?:DIN|BS|NF|ÖNORM|SN|UNI|UNE|PN|NEN|DS|SS|NBN|SFS) (?=EN\b|ISO\b)/, '');
}
