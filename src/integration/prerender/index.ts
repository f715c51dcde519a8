export { forgetBuilds } from './forget-builds.ts';
export { prerenderInBulk, type BulkBuild } from './prerender-in-bulk.ts';
export type { BuiltPages } from './finish-build.ts';
export { whyStockLoop } from './why-stock-loop.ts';
