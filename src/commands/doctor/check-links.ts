import type { Settings } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { findDeadLinks } from '../checks/find-dead-links.ts';
import { warn, type Finding } from './finding.ts';

/** Links of the project's own pages to families and products that are gone; nothing where there are none. */
export function checkLinks({ root, snapshotPath, options }: Settings): Finding[] {
  try {
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    const dead = findDeadLinks(root, snapshot, languageCodes(snapshot, options));
    snapshot.close();
    if (dead.length === 0) return [];
    const list = dead.map(
      ({ place, link, target }) => `${place} links to ${link}, a ${target} that is not in the catalogue`,
    );
    return [warn('Links', list.join('\n'), 'Correct the links, or put what they lead to back into the assortment.')];
  } catch (error) {
    // Without a snapshot nothing is known to be gone.
    if (isSortimentError(error)) return [];
    throw error;
  }
}
