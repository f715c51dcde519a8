/**
 * Serializes a query with its question mark; empty without parameters. Lists are joined by commas, or bracketed if an
 * item contains a comma or a space. Objects are bracketed: `?include=1,2&categories[terms]=3`.
 */
export function serializeQuery(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => serialize(name, value));
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodeName(name)}=${encodeValue(value)}`).join('&')}`;
}

function serialize(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return [[name, value.join(',')]];
    return value.flatMap((item, i) => serialize(`${name}[${i}]`, item));
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) => serialize(`${name}[${key}]`, member));
  }
  return [[name, String(value)]];
}

function isPlain(item: unknown): boolean {
  return ['number', 'boolean', 'string'].includes(typeof item) && !/[\s,]/.test(String(item)) && item !== '';
}

/** Brackets stay unescaped for readability; servers accept both forms. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');
}

function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
}
