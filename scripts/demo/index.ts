export { generateDemoMedia } from './generate-media.ts';
