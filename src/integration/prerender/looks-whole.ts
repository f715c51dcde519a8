import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isThere } from './is-there.ts';
import type { PageLedger } from './page-ledger.ts';

/** Of what there are too many of to look at each. */
const SAMPLES = 500;

/**
 * Whether the site is as the last build has left it: whoever empties a folder or brings back half of a site from a cache
 * is noticed. Looks at all pages that are not about products, at as many of the other files as chance gives, and counts
 * the folders of products.
 */
export function looksWhole(ledger: PageLedger, distFolder: string, languages: readonly string[]): boolean {
  const isAsKnown = ([file, bytes]: readonly [string, number]): boolean => isThere(distFolder, file, bytes);
  if (![...ledger.otherSizes(), ...ledger.sample(SAMPLES), ...ledger.outputs.sample(SAMPLES)].every(isAsKnown)) {
    return false;
  }
  const counts = languages.map((language) => ({ folder: `${language}/p`, pages: ledger.countBelow(`${language}/p`) }));
  if (counts.every(({ folder, pages }) => countEntries(path.join(distFolder, folder)) === pages)) return true;
  // Something else may have been put there.
  return [...ledger.known()].every(([file, { bytes }]) => isThere(distFolder, file, bytes));
}

function countEntries(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

/** Of what is mostly there or mostly gone. */
const FEW_SAMPLES = 40;

/** Whether most of what the last build has made is there no more. */
export function isMostlyGone(ledger: PageLedger, distFolder: string): boolean {
  const samples = ledger.sample(FEW_SAMPLES);
  return samples.filter(([file, bytes]) => !isThere(distFolder, file, bytes)).length * 2 > samples.length;
}
