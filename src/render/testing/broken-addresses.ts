import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const TEXT = /\.(html|md|json|ndjson|csv|xml|txt)$|\/_(headers|redirects)$/;
/** Attributes that browsers and our own scripts ask for. */
const ATTRIBUTES =
  /\s(?:href|src|srcset|action|poster|data-table|data-calculator|data-search)="([^"]*)"|;\s*url=([^"]*)"/g;

/**
 * Addresses in a built site that lead to nothing or out of the folder that it lies in, each with a file that has it.
 * @param siteUrl Where it is reached, with that folder, without a slash at the end.
 */
export function brokenAddresses(distFolder: string, siteUrl: string): string[] {
  const { origin, pathname } = new URL(`${siteUrl}/`);
  const broken = new Map<string, string>();
  const check = (address: string, file: string): void => {
    const { pathname: asked, origin: host } = new URL(address.replaceAll('&amp;', '&'), `${origin}${pathname}`);
    if (host !== origin) return;
    const isInside = asked.startsWith(pathname);
    if (!isInside || !isServed(distFolder, decodeURIComponent(asked.slice(pathname.length)))) broken.set(address, file);
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

function isServed(distFolder: string, place: string): boolean {
  const target = path.join(distFolder, place);
  // Hosts lead on to a folder whose address lacks the slash, such as that of a Digital Link.
  return existsSync(path.join(target, 'index.html')) || (existsSync(target) && statSync(target).isFile());
}
