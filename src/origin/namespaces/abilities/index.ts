export { serveAbilities } from './serve-abilities.ts';
