export { defaultLoopBuild, type AstroBuild } from './default-loop.ts';
export { exportBundle } from './export-bundle.ts';
export { chooseBundleExport, defaultLoopReason } from './default-loop-reason.ts';
export { renderInAstro } from './render-in-astro.ts';
