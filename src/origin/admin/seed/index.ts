export { readBootstrap, type Bootstrap } from './read-bootstrap.ts';
export { seedOrigin, type SeedOptions } from './seed-origin.ts';
