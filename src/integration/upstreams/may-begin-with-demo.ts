import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';

const DEMO_PRODUCTS = fileURLToPath(new URL('../../../content/demo/products.json', import.meta.url));

const products = z.record(z.string(), z.unknown());

/**
 * Whether nobody has set anything up yet: no store, no database, and the assortment is the one that comes with the
 * project. Only then may a command begin with the demo that nobody has asked for by name.
 */
export async function mayBeginWithDemo(settings: Settings): Promise<boolean> {
  if (existsSync(begunFile(settings))) return true;
  if (hasStore(settings) || !hasDemo()) return false;
  const demo = products.parse(JSON.parse(readFileSync(DEMO_PRODUCTS, 'utf8')));
  // Loaded only where it is needed, like the origin.
  const { readAssortment } = await import('#sync/index.ts');
  const { rows } = await readAssortment(settings.options.assortment, { root: settings.root });
  return rows.length === 0 || rows.some(({ gtin }) => gtin in demo);
}

/** True if the project has the demo content. */
export const hasDemo = (): boolean => existsSync(DEMO_PRODUCTS);

/** There from when a store begins with the demo until that is in: who is interrupted meanwhile goes on with it. */
const begunFile = ({ originFolder }: Settings): string => path.join(originFolder, 'demo-begun');

/** Notes that the store begins with the demo. @returns what to call when it is in */
export function noteDemoBegun(settings: Settings): () => void {
  if (hasStore(settings) && !existsSync(begunFile(settings))) return () => undefined;
  mkdirSync(settings.originFolder, { recursive: true });
  writeFileSync(begunFile(settings), '');
  return () => rmSync(begunFile(settings), { force: true });
}

/** Whether the embedded origin was set up: by an earlier start, a command of the operator, or with a database. */
export function hasStore({ originFolder, databaseUrl }: Settings): boolean {
  return databaseUrl !== undefined || existsSync(originFolder);
}
