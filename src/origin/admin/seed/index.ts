export { readBootstrap, type Bootstrap } from './seed-origin.ts';
export { readDemoContent } from './demo-content.ts';
export { seedOrigin, type SeedOptions } from './seed-origin.ts';
