export type { DemoContent } from './demo-content.ts';
export { readBootstrap, type Bootstrap } from './seed-origin.ts';
export { readDemoContent } from './read-demo.ts';
export { seedOrigin, type SeedOptions } from './seed-origin.ts';
