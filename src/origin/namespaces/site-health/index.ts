export { serveSiteHealth } from './serve-site-health.ts';
