import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { readAssortment } from '#sync/assortment/read-assortment.ts';
import { COMPLETENESS_NAME, reportFolder } from '#sync/report/index.ts';
import { toFailure, ok, warn, type Finding, skip } from './finding.ts';

const completeness = z.object({
  languages: z.array(z.string()),
  products: z.number(),
  translated: z.record(z.string(), z.number()),
  gapCount: z.number(),
});

const CHECK = 'Completeness';

/** Checks that the list of products is readable and contains valid GTINs. */
export async function checkAssortment({ root, options }: Settings): Promise<{ finding: Finding; gtins: string[] }> {
  try {
    const { rows, families } = await readAssortment(options.assortment, { root });
    const gtins = rows.map(({ gtin }) => gtin);
    if (gtins.length === 0) {
      return { gtins, finding: warn('GTIN list', 'contains no products', 'Put GTINs into `content/assortment`.') };
    }
    return { gtins, finding: ok('GTIN list', `${gtins.length} products in ${families.length} families, all valid`) };
  } catch (error) {
    return { gtins: [], finding: toFailure('GTIN list', error) };
  }
}

/** Checks how much of the range is translated, as measured by the last sync. */
export function checkCompleteness(settings: Pick<Settings, 'home'>): Finding {
  const file = path.join(reportFolder(settings), COMPLETENESS_NAME);
  if (!existsSync(file)) return skip(CHECK, 'no sync has measured the translations yet');
  const reading = completeness.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!reading.success) return warn(CHECK, `${file} can't be read`, 'Run `npm run sync`.');
  const { languages, products, translated, gapCount } = reading.data;
  const counts = languages.map((code) => `${code} ${translated[code] ?? 0} of ${products}`).join(', ');
  if (gapCount === 0) return ok(CHECK, `translated without gaps: ${counts}`);
  const page = path.join(reportFolder(settings), 'completeness.html');
  return ok(CHECK, `translated: ${counts}; ${gapCount} incomplete translations are listed in ${page}`);
}
