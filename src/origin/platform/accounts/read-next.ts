/**
 * Where to go after a form: a path of this site with its query, or undefined for everything else.
 * Refuses what browsers read as another host: `//host`, `/\host`, and the same with the white space they drop.
 */
export function readNext(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?!\/)[^\\\p{Cc}\s]*$/u.test(value)) return undefined;
  const base = 'http://same-site.invalid';
  if (!URL.canParse(value, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(value, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : undefined;
}
