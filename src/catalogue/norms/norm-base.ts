/** Bodies that publish a European or international norm under their own name. */
const PREFIX = /^(?:[\p{L}]{2,6}[\s/-]+)+?(?=(?:EN|ISO|IEC)[\s/-]*(?:ISO[\s/-]*)?\d)/iu;

/**
 * The norm without national prefix and edition: `DIN EN 1928:2000-07` -> `EN 1928`. The same test carries the same
 * base in every country; what is shown is always the original.
 */
export function normBase(norm: string): string {
  const known = bases.get(norm) ?? findBase(norm);
  if (bases.size >= MAX_BASES) bases.clear();
  bases.set(norm, known);
  return known;
}

/** Each value of each product asks for that of its norm, of which there are few. */
const bases = new Map<string, string>();
const MAX_BASES = 1000;

function findBase(norm: string): string {
  const [named = ''] = norm.trim().replaceAll(/\s+/g, ' ').slice(0, 100).split(':');
  const bare = named.trim();
  const [prefix = ''] = PREFIX.exec(bare) ?? [];
  // `EN ISO 9053-1` is a norm of its own.
  const own = /(?:^|[\s/-])EN[\s/-]+$/i.test(prefix) ? prefix.search(/EN[\s/-]+$/i) : prefix.length;
  return bare.slice(own);
}

/** What to search for where somebody asks for a norm, with whatever prefix and edition: its base. Else the query. */
export function normQuery(query: string): string {
  return /^[\p{L}\s/-]*\b(?:EN|ISO|DIN|IEC)[\s-]*\d[\d\s.-]*(?:[:+].*)?$/iu.test(query.trim())
    ? // The index has the body and the number as two words.
      normBase(query).replace(/^(\D*[a-z])[\s-]*(?=\d)/i, '$1 ')
    : query;
}
