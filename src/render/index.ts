export { astrosLoop, type AstroBuild } from './astros-loop.ts';
export { exportBundle } from './export-bundle.ts';
export { chooseBundleExport, whyDefaultLoop } from './leave-to-astro.ts';
export { renderBesideAstro } from './render-beside-astro.ts';
