export { forgetBuilds } from './forget-builds.ts';
export { prerenderInBulk, type BulkBuild } from './prerender-in-bulk.ts';
export { whyStockLoop } from './why-stock-loop.ts';
