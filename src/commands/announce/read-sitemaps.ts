import { findSpans } from '#contracts/index.ts';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Addresses that a built site has for search engines, with what the sitemap says of each: date and translations. */
export function readSitemaps(distFolder: string): Map<string, string> {
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
