import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';

/** Paths of the origin next to those of the site. */
const OWN_FOLDERS = ['media', 'uploads', 'admin', 'healthz'];

/** Product records that the site has as files: the interface itself has no such paths. */
const IS_RECORD = new RegExp(`^/${PRODUCT_ROOT}(product|language)/.*\\.json$`);

/** True for paths that the embedded origin handles at the site's address. */
export function isOriginPath(pathname: string, restRoot: string): boolean {
  if (IS_RECORD.test(pathname)) return false;
  const roots = [PRODUCT_ROOT.replace(/\/$/, ''), restRoot, ...OWN_FOLDERS];
  return roots.some((root) => pathname === `/${root}` || pathname.startsWith(`/${root}/`));
}

const DEMO_PRODUCTS = fileURLToPath(new URL('../../../content/demo/products.json', import.meta.url));

const products = z.record(z.string(), z.unknown());

/**
 * True if nothing was set up: no database, and an unchanged assortment. Only then may a command load the demo into an
 * empty store without being asked.
 */
export async function canStartWithDemo(settings: Settings): Promise<boolean> {
  if (settings.databaseUrl !== undefined || !existsSync(DEMO_PRODUCTS)) return false;
  const demo = products.parse(JSON.parse(readFileSync(DEMO_PRODUCTS, 'utf8')));
  // Loaded on demand, like the origin.
  const { readAssortment } = await import('#sync/assortment/read-assortment.ts');
  const reading = readAssortment(settings.options.assortment, { root: settings.root });
  // An existing store is opened even if the assortment is invalid.
  const found = await (hasStore(settings) ? reading.catch(() => undefined) : reading);
  return found !== undefined && (found.rows.length === 0 || found.rows.some(({ gtin }) => gtin in demo));
}

/** True if the project has the demo content. */
export const hasDemo = (): boolean => existsSync(DEMO_PRODUCTS);

/** True if the embedded origin was set up: by an earlier start, an operator's command, or a database. */
export function hasStore({ originFolder, databaseUrl }: Settings): boolean {
  return databaseUrl !== undefined || existsSync(originFolder);
}
