import { resolveDrizzleOnce } from '#origin/platform/store/resolve-drizzle-once.ts';

/** Loads what serves the origin, which takes as long as a small site takes to build: only where one is to be served. */
export function loadOrigin(): Promise<typeof import('./index.ts')> {
  resolveDrizzleOnce();
  return import('./index.ts');
}
