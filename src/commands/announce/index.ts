export { announcePages, type Announced } from './announce-pages.ts';
