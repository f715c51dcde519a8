export type { DemoContent } from './demo-content.ts';
export { readBootstrap, type Bootstrap } from './read-bootstrap.ts';
export { readDemoContent } from './read-demo.ts';
export { seedOrigin, type SeedOptions } from './seed-origin.ts';
