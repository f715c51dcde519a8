import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PageChrome, ProductFacts } from './product-facts.ts';

export function factFiles(folder: string) {
  return {
    pageChromeFile: path.join(folder, 'frames.json'),
    /** Paths of the pages, in the order of the products. */
    pathsFile: path.join(folder, 'paths.json'),
    productsFile: path.join(folder, 'products.ndjson'),
  };
}

/** Frames by language. */
export function readPageChromes(folder: string): Record<string, PageChrome> {
  return JSON.parse(readFileSync(factFiles(folder).pageChromeFile, 'utf8')) as Record<string, PageChrome>;
}

/** Root-relative paths of all pages. */
export function readPaths(folder: string): string[] {
  return JSON.parse(readFileSync(factFiles(folder).pathsFile, 'utf8')) as string[];
}

/** The products one by one, each read when it is asked for: all at once would need gigabytes. */
export function* readFacts(folder: string): Generator<() => ProductFacts> {
  const bytes = readFileSync(factFiles(folder).productsFile);
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = bytes.indexOf('\n', start);
    const line = bytes.subarray(start, end);
    yield () => JSON.parse(line.toString('utf8')) as ProductFacts;
  }
}
