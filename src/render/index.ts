export { chooseHandOver } from './choose-bundle-export.ts';
export { forgetBuilds } from './forget-builds.ts';
export { handOverBundle } from './export-bundle.ts';
export { prerenderInBulk, type BulkBuild } from './prerender-in-bulk.ts';
export { whyStockLoop } from './why-astro-loop.ts';
