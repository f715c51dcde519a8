import type { Settings } from '#config/index.ts';
import { readAssortment } from '#sync/index.ts';
import { failureOf } from './failure-of.ts';
import { ok, warn, type Finding } from './finding.ts';

/** Whether the list of products can be read and every GTIN in it is one. */
export async function checkAssortment({ root, options }: Settings): Promise<{ finding: Finding; gtins: string[] }> {
  try {
    const { rows, families } = await readAssortment(options.assortment, { root });
    const gtins = rows.map(({ gtin }) => gtin);
    if (gtins.length === 0) {
      return { gtins, finding: warn('GTIN list', 'names no product', 'Put GTINs into `content/assortment`.') };
    }
    return { gtins, finding: ok('GTIN list', `${gtins.length} products in ${families.length} families, all valid`) };
  } catch (error) {
    return { gtins: [], finding: failureOf('GTIN list', error) };
  }
}
