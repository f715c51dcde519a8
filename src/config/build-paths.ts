import path from 'node:path';
import type { Settings } from './index.ts';

/** Returns the paths of the build caches. All of them can be deleted. */
export function buildPaths({ home }: Pick<Settings, 'home'>) {
  const folder = path.join(home, 'build');
  return {
    productIndexFile: path.join(folder, 'product-index.sqlite'),
    manifestFile: path.join(folder, 'pages.sqlite'),
    bundleFolder: path.join(folder, 'bundle'),
    lockFile: path.join(folder, 'lock.sqlite'),
    astroLockFile: path.join(folder, 'lock-astro.sqlite'),
  };
}
