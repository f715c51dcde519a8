export { seo } from './seo-module.ts';
