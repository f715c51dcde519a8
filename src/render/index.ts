export { astrosLoop, type AstroBuild } from './astros-loop.ts';
export { chooseBundleExport } from './choose-bundle-export.ts';
export { exportBundle } from './export-bundle.ts';
export { renderBesideAstro } from './render-beside-astro.ts';
export { whyDefaultLoop } from './why-default-loop.ts';
