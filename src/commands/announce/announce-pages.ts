import { hash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { USER_AGENT } from '#client/exchange.ts';
import type { Settings } from '#config/index.ts';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { decodeEntities } from '#contracts/html/html-text.ts';
import { SortimentError, findSpans } from '#contracts/index.ts';
import { SITEMAP_INDEX, sitemapFolder } from '#generated/sitemaps/sitemap.ts';
import { replaceFile } from '#files/replace-file.ts';

/** Limit of the protocol for a single request. */
const MAX_ADDRESSES = 10_000;
const TIMEOUT_MS = 30_000;

const REASONS: Record<number, string> = {
  400: 'the request is malformed',
  403: 'the key file of the site is missing or different',
  422: 'the URLs belong to another site',
  429: 'too many requests',
};

const announcedFile = z.record(z.string(), z.string());

/**
 * Submits changed pages to search engines with IndexNow (https://www.indexnow.org), and changed feeds to their WebSub
 * hub. Records each submission after its response, so that the next call repeats what failed.
 *
 * @param options With `dryRun`, nothing is sent or recorded.
 * @returns URLs of new, changed and removed pages, and of new and changed feeds. `sent` is false for a dry run.
 * @throws SortimentError INDEXNOW_UNSET, SITE_MISSING, SITE_NOT_PUBLIC, INDEXNOW_REFUSED, INDEXNOW_UNREACHABLE,
 * HUB_REFUSED, HUB_UNREACHABLE
 */
export async function announcePages(settings: Settings, { dryRun = false } = {}) {
  const { indexNow, seo } = settings.options;
  if (!indexNow && !seo.hub) {
    throw new SortimentError('INDEXNOW_UNSET', 'Neither an IndexNow key nor a hub is configured.', {
      hint: "Set `indexNow: { key: '…' }` in src/sortiment.config.ts, build and deploy the site first.",
    });
  }
  setBasePath(settings.base, settings.options.path);
  if (!existsSync(path.join(sitemapFolder(settings), SITEMAP_INDEX))) {
    throw new SortimentError('SITE_MISSING', `There is no built site in ${settings.distFolder}.`, {
      hint: 'Run `npm run build` first.',
    });
  }
  const { hostname } = new URL(settings.siteUrl);
  if (!dryRun && /^(localhost|127\.|\[::1\])/.test(hostname)) {
    throw new SortimentError('SITE_NOT_PUBLIC', `${settings.siteUrl} is a local address.`, {
      hint: 'Set SITE_URL to the public address, and build again.',
    });
  }
  const pages = indexNow ? announcement(settings, 'announced.json', readSitemaps(sitemapFolder(settings))) : NOTHING;
  const feeds = seo.hub ? announcement(settings, 'announced-feeds.json', readFeeds(settings)) : NOTHING;
  // A hub can't fetch removed feeds.
  const present = feeds.addresses.filter((url) =>
    existsSync(path.join(settings.distFolder, url.slice(settings.siteUrl.length))),
  );
  const announced = { addresses: pages.addresses, feeds: present };
  if (dryRun) return { ...announced, sent: false };
  const { siteUrl } = settings;
  if (indexNow) {
    const site = { host: new URL(siteUrl).host, key: indexNow.key, keyLocation: `${siteUrl}/${indexNow.key}.txt` };
    for (let at = 0; at < pages.addresses.length; at += MAX_ADDRESSES) {
      const urlList = pages.addresses.slice(at, at + MAX_ADDRESSES);
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      const init = { headers, body: JSON.stringify({ ...site, urlList }) };
      await post('INDEXNOW', indexNow.endpoint, init, ({ status, statusText }) => `: ${REASONS[status] ?? statusText}`);
      await pages.record(urlList);
    }
  }
  for (const feed of present) {
    const init = { body: new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': feed }) };
    await post('HUB', seo.hub ?? '', init, ({ statusText }) => ` ${statusText}, for ${feed}`);
    await feeds.record([feed]);
  }
  return { ...announced, sent: true };
}

interface Announcement {
  /** New, changed or removed URLs. */
  addresses: string[];
  /** Records that they were submitted. */
  record(addresses: readonly string[]): Promise<void>;
}

const NOTHING: Announcement = { addresses: [], record: () => Promise.resolve() };

/** Compares the current URLs and their content with the earlier submissions in a file of the working folder. */
function announcement({ home }: Settings, name: string, entries: ReadonlyMap<string, string>): Announcement {
  const file = path.join(home, name);
  const submitted = readAnnounced(file);
  const now = new Map([...entries].map(([url, entry]) => [url, hash('sha1', entry)]));
  const changed = [...now.keys()].filter((url) => submitted.get(url) !== now.get(url));
  return {
    addresses: [...changed, ...[...submitted.keys()].filter((url) => !now.has(url))],
    record: async (addresses) => {
      for (const url of addresses) {
        const digest = now.get(url);
        if (digest === undefined) submitted.delete(url);
        else submitted.set(url, digest);
      }
      await replaceFile(file, `${JSON.stringify(Object.fromEntries(submitted))}\n`);
    },
  };
}

const FEED = /(?:^|\/)(?:rss|atom|changes|feed)\.xml$|(?:^|\/)changes\.json$/;

function readFeeds({ distFolder, siteUrl }: Settings): Map<string, string> {
  const files = readdirSync(distFolder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => FEED.test(file));
  return new Map(files.map((file) => [`${siteUrl}/${file}`, readFileSync(path.join(distFolder, file), 'utf8')]));
}

const HINTS = {
  HUB:
    'Check that the hub accepts feeds of this site, and `seo.hub` in src/sortiment.config.ts. ' +
    'Run `npm run announce` again later; it sends what is missing.',
  INDEXNOW: 'Deploy the site with its key file first; then run `npm run announce` again.',
} as const;

/** Sends one request. @param describe Returns what a rejection says after its status. */
async function post(
  receiver: keyof typeof HINTS,
  url: string,
  { headers, body }: { headers?: Record<string, string>; body: BodyInit },
  describe: (response: Response) => string,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'User-Agent': USER_AGENT },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new SortimentError(`${receiver}_UNREACHABLE`, `[POST] "${url}" did not respond.`, {
      hint: 'Run `npm run announce` again later; it sends what is missing.',
      cause,
    });
  });
  await response.body?.cancel();
  if (response.ok) return;
  const message = `[POST] "${url}": ${response.status}${describe(response)}.`;
  throw new SortimentError(`${receiver}_REFUSED`, message, { hint: HINTS[receiver] });
}

function readAnnounced(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  return new Map(Object.entries(announcedFile.parse(JSON.parse(readFileSync(file, 'utf8')))));
}

/** Returns the URLs in the sitemaps with their entries (date and translations). */
function readSitemaps(folder: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const file of readdirSync(folder).filter((name) => /^sitemap-\d+\.xml$/.test(name))) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    for (const { opening, inner } of findSpans(text, /<url><loc>([^<]*)<\/loc>/, /<\/url>/))
      entries.set(decodeEntities(opening[1] ?? ''), inner);
  }
  return entries;
}
