import { sitePath } from './base.ts';

/** Path of the JSON feed of catalogue changes in all languages, for shops and dealers. */
export function changesJsonPath(): string {
  return sitePath('/changes.json');
}

export function changesRssPath(): string {
  return sitePath('/changes.xml');
}
