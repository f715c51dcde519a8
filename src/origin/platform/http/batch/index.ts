export { serveBatch } from './serve-batch.ts';
