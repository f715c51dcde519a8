/**
 * Writes parameters as links of this interface do: brackets for lists and maps, `1` for yes, and a bare name for
 * no and for the empty text. Empty lists vanish.
 */
export function writeQuery(parameters: Iterable<readonly [string, unknown]>): string {
  return [...parameters].flatMap(([name, value]) => writePairs(name, value)).join('&');
}

function writePairs(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => writePairs(`${name}%5B${i}%5D`, item));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => writePairs(`${name}%5B${encode(key)}%5D`, inner));
  if (value === null || value === false || value === '') return [name];
  return [`${name}=${value === true ? '1' : encode(String(value))}`];
}

function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
