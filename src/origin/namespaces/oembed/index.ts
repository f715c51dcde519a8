export { oembed } from './serve-oembed.ts';
