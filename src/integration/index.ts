export { closeSharedUpstreams } from './dev/share-upstreams.ts';
export { sortiment, type Catalogue } from './sortiment.ts';
