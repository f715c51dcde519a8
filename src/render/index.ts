export { chooseBundleExport } from './choose-bundle-export.ts';
export { forgetBuilds } from './forget-builds.ts';
export { exportBundle } from './export-bundle.ts';
export { prerenderInBulk, type BulkBuild } from './prerender-in-bulk.ts';
export { whyDefaultLoop } from './why-default-loop.ts';
