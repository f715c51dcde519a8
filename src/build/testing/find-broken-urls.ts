import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const TEXT = /\.(html|md|json|ndjson|csv|xml|txt)$|\/_(headers|redirects)$/;
/** Attributes that browsers and the site's scripts request. */
const ATTRIBUTES =
  /\s(?:href|src|srcset|action|poster|data-table|data-calculator|data-search)="([^"]*)"|;\s*url=([^"]*)"/g;

/**
 * Finds broken or external-folder URLs in a built site, each with a file that contains it.
 *
 * @param siteUrl URL of the site including its folder, without a trailing slash.
 */
export function findBrokenUrls(distFolder: string, siteUrl: string): string[] {
  const { origin, pathname } = new URL(`${siteUrl}/`);
  const broken = new Map<string, string>();
  const check = (address: string, file: string): void => {
    const { pathname: requested, origin: host } = new URL(address.replaceAll('&amp;', '&'), `${origin}${pathname}`);
    if (host !== origin) return;
    const isInside = requested.startsWith(pathname);
    if (!isInside || !isServed(distFolder, decodeURIComponent(requested.slice(pathname.length))))
      broken.set(address, file);
  };
  for (const file of readdirSync(distFolder, { recursive: true, encoding: 'utf8' })) {
    if (!TEXT.test(`/${file}`)) continue;
    const text = readFileSync(path.join(distFolder, file), 'utf8');
    for (const [address] of text.matchAll(new RegExp(`${RegExp.escape(origin)}(?:(?!&quot;)[^\\s"'<>()\\\\,;])*`, 'g')))
      check(address, file);
    if (!file.endsWith('.html')) continue;
    for (const [, attribute = '', refreshed] of text.matchAll(ATTRIBUTES))
      for (const address of (refreshed ?? attribute).split(/,\s+/).map((part) => part.trim().split(/\s+/)[0] ?? ''))
        if (/^\/(?!\/)/.test(address)) check(address, file);
  }
  return [...broken].map(([address, file]) => `${address} in ${file}`);
}

function isServed(distFolder: string, relative: string): boolean {
  const target = path.join(distFolder, relative);
  // Hosts redirect folder URLs without a slash, such as a Digital Link.
  return existsSync(path.join(target, 'index.html')) || (existsSync(target) && statSync(target).isFile());
}
