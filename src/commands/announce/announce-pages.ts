import { hash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { USER_AGENT } from '#client/index.ts';
import type { Settings } from '#config/index.ts';
import { SortimentError, findSpans } from '#contracts/index.ts';
import { replaceFile } from '#files/index.ts';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What the protocol takes at once. */
const MAX_ADDRESSES = 10_000;
const TIMEOUT_MS = 30_000;

const REFUSALS: Record<number, string> = {
  400: 'it finds the request malformed',
  403: 'it found no key at the site, or a different one',
  422: "the addresses are not the site's",
  429: 'there were too many requests',
};

export interface Announced {
  /** Addresses of pages that are new, changed or gone. */
  addresses: string[];
  /** False when they were only listed. */
  sent: boolean;
}

const announcedFile = z.record(z.string(), z.string());

/**
 * Submits pages that have changed since the last call to search engines, by IndexNow (https://www.indexnow.org).
 * Submitted pages are recorded after each answer: the next call repeats what failed.
 * @param options With `dryRun` nothing is sent or recorded.
 * @throws SortimentError INDEXNOW_UNSET, SITE_MISSING, SITE_NOT_PUBLIC, INDEXNOW_REFUSED, INDEXNOW_UNREACHABLE
 */
export async function announcePages(settings: Settings, { dryRun = false } = {}): Promise<Announced> {
  const { indexNow } = settings.options;
  if (!indexNow) {
    throw new SortimentError('INDEXNOW_UNSET', 'No key for IndexNow is set.', {
      hint: "Set `indexNow: { key: '…' }` in src/sortiment.config.ts, build and deploy the site first.",
    });
  }
  if (!existsSync(path.join(settings.distFolder, 'sitemap-index.xml'))) {
    throw new SortimentError('SITE_MISSING', `There is no built site in ${settings.distFolder}.`, {
      hint: 'Run `npm run build` first.',
    });
  }
  const { hostname, host } = new URL(settings.siteUrl);
  if (!dryRun && /^(localhost|127\.|\[::1\])/.test(hostname)) {
    throw new SortimentError('SITE_NOT_PUBLIC', `${settings.siteUrl} is an address of this machine only.`, {
      hint: 'Set SITE_URL to the public address, and build again.',
    });
  }
  const file = path.join(settings.home, 'announced.json');
  const known = readAnnounced(file);
  const now = new Map([...readSitemaps(settings.distFolder)].map(([url, entry]) => [url, hash('sha1', entry)]));
  const changed = [...now.keys()].filter((url) => known.get(url) !== now.get(url));
  const gone = [...known.keys()].filter((url) => !now.has(url));
  const addresses = [...changed, ...gone];
  if (dryRun) return { addresses, sent: false };
  const keyLocation = `${settings.siteUrl}/${indexNow.key}.txt`;
  for (let at = 0; at < addresses.length; at += MAX_ADDRESSES) {
    const urlList = addresses.slice(at, at + MAX_ADDRESSES);
    await send(indexNow.endpoint, { host, key: indexNow.key, keyLocation, urlList });
    for (const url of urlList) {
      const digest = now.get(url);
      if (digest === undefined) known.delete(url);
      else known.set(url, digest);
    }
    await replaceFile(file, `${JSON.stringify(Object.fromEntries(known))}\n`);
  }
  return { addresses, sent: true };
}

async function send(endpoint: string, body: Record<string, unknown>): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': USER_AGENT },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    throw new SortimentError('INDEXNOW_UNREACHABLE', `[POST] "${endpoint}" was not answered.`, {
      hint: 'Run `npm run announce` again later; it sends what is missing.',
      cause,
    });
  }
  await answer.body?.cancel();
  if (answer.ok) return;
  const why = REFUSALS[answer.status] ?? answer.statusText;
  throw new SortimentError('INDEXNOW_REFUSED', `[POST] "${endpoint}": ${answer.status}: ${why}.`, {
    hint: 'Deploy the site with its key file first; then run `npm run announce` again.',
  });
}

function readAnnounced(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  return new Map(Object.entries(announcedFile.parse(JSON.parse(readFileSync(file, 'utf8')))));
}

/** Addresses that a built site has for search engines, with what the sitemap says of each: date and translations. */
function readSitemaps(distFolder: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const file of readdirSync(distFolder).filter((name) => /^sitemap-\d+\.xml$/.test(name))) {
    const text = readFileSync(path.join(distFolder, file), 'utf8');
    for (const { opening, inner } of findSpans(text, /<url><loc>([^<]*)<\/loc>/, /<\/url>/))
      entries.set(decode(opening[1] ?? ''), inner);
  }
  return entries;
}

function decode(text: string): string {
  return text.replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
