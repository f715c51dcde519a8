export { localPageLoader } from './local-loaders.ts';
export { normLoader } from './local-loaders.ts';
export { overlayLoader } from './local-loaders.ts';
export { snapshotLoaders } from './snapshot-loaders.ts';
