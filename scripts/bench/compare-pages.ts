import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SHOWN_CHARACTERS = 120;

/** Something that has made pages. */
interface Maker {
  name: string;
  distFolder: string;
}

/**
 * Checks that others have made the same pages as the first: their bodies, character by character. Only the ways to
 * write one character as a reference (`&#34;`, `&quot;`) count as the same.
 * @param pages Root-relative paths.
 * @throws Error with the first difference.
 */
export function comparePages([first, ...others]: readonly Maker[], pages: readonly string[]): void {
  if (!first) return;
  for (const page of pages) {
    const expected = bodyOf(readPage(first, page));
    if (expected === '') throw new Error(`${first.name} has not made ${page}.`);
    for (const other of others) {
      const difference = findDifference(expected, bodyOf(readPage(other, page)));
      if (!difference) continue;
      throw new Error(
        `${page} as ${other.name} makes it is not the page of ${first.name}, so there is nothing to measure.\n` +
          `  ${first.name}: …${difference.expected}…\n  ${other.name}: …${difference.found}…`,
      );
    }
  }
}

/** Its HTML; empty when there is no such page. */
export function readPage({ distFolder }: Maker, page: string): string {
  const file = path.join(distFolder, page, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Both texts from a little before the first character that differs; undefined when they are the same. */
export function findDifference(expected: string, found: string): { expected: string; found: string } | undefined {
  if (expected === found) return undefined;
  let place = 0;
  while (expected[place] === found[place]) place++;
  const around = (text: string) => text.slice(Math.max(0, place - SHOWN_CHARACTERS / 2), place + SHOWN_CHARACTERS / 2);
  return { expected: around(expected), found: around(found) };
}

/** The body, with references only where HTML can't do without; empty when there is none. */
export function bodyOf(html: string): string {
  const start = html.indexOf('<body');
  const end = html.lastIndexOf('</body>');
  if (start < 0 || end < start) return '';
  return html
    .slice(start, end)
    .replace(/&#(\d+);/g, (_, code: string) => NEEDED[Number(code)] ?? String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'");
}

const NEEDED: Record<number, string> = { 38: '&amp;', 60: '&lt;', 62: '&gt;' };
