export { siteHealth } from './serve-site-health.ts';
