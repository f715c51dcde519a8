export { core } from './core-module.ts';
