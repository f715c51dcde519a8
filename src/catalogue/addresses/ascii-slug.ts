import { transliterate } from '../languages/transliterate.ts';

/** Converts a text to a URL segment: `Höchstzugkraft längs/quer` -> `hoechstzugkraft-laengs-quer`. */
export function asciiSlug(text: string): string {
  return transliterate(text)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
