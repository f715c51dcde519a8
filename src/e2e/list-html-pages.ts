import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Returns root-relative paths of all HTML pages in a folder, such as `/de-de/products/`. */
export async function listHtmlPages(dist: string): Promise<string[]> {
  const files = await readdir(dist, { recursive: true });
  return files
    .filter((file) => file.endsWith('.html'))
    .map((file) => `/${file.split(path.sep).join('/')}`.replace(/index\.html$/, ''))
    .toSorted();
}
