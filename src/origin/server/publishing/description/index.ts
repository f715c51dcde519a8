export { describePathFully } from './describe-path.ts';
export { serveNamespaceIndexes, serveSiteIndex } from './serve-indexes.ts';
