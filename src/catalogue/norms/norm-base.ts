/** Prefixes of bodies that publish European or international norms under their own name. */
const PREFIX = /^(?:[\p{L}]{2,6}[\s/-]+)+?(?=(?:EN|ISO|IEC)[\s/-]*(?:ISO[\s/-]*)?\d)/iu;

/**
 * Returns a norm without national prefix and edition: `DIN EN 1928:2000-07` -> `EN 1928`. It identifies the same test
 * in every country. Pages show the original name.
 */
export function normBase(norm: string): string {
  const known = bases.get(norm);
  if (known !== undefined) return known;
  const base = findBase(norm);
  if (bases.size >= MAX_BASES) bases.clear();
  bases.set(norm, base);
  return base;
}

/** Cached, because many values share few norms. */
const bases = new Map<string, string>();
const MAX_BASES = 1000;

function findBase(norm: string): string {
  const [named = ''] = norm.trim().replaceAll(/\s+/g, ' ').slice(0, 100).split(':');
  const bare = named.trim();
  const [prefix = ''] = PREFIX.exec(bare) ?? [];
  // `EN ISO 9053-1` is a separate norm.
  const start = /(?:^|[\s/-])EN[\s/-]+$/i.test(prefix) ? prefix.search(/EN[\s/-]+$/i) : prefix.length;
  return bare.slice(start);
}
