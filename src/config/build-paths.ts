import path from 'node:path';
import type { Settings } from './index.ts';

/** Where a build keeps what makes the next one fast; all of it can be thrown away. */
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
