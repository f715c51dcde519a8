export { describePathWithSchema } from './serve-indexes.ts';
export { serveNamespaceIndexes, serveSiteIndex } from './serve-indexes.ts';
