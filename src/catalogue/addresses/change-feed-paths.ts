import { sitePath } from './base.ts';

/** Feeds of what changed in the catalogue, in all languages, for shops and dealers. */
export function changesJsonPath(): string {
  return sitePath('/changes.json');
}

export function changesRssPath(): string {
  return sitePath('/changes.xml');
}
