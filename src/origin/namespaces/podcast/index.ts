export { podcast } from './podcast-module.ts';
