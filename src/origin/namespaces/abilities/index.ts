export { abilities } from './serve-abilities.ts';
