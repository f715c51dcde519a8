export { chooseHandOver } from './choose-hand-over.ts';
export { forgetBuilds } from './forget-builds.ts';
export { handOverBundle } from './hand-over-bundle.ts';
export { prerenderInBulk, type BulkBuild } from './prerender-in-bulk.ts';
export { whyStockLoop } from './why-stock-loop.ts';
