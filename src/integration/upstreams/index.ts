export { ensureSnapshot } from './ensure-snapshot.ts';
export { isOriginPath } from './is-origin-path.ts';
export { openUpstreams, type OpenOrigin, type OpenUpstreams } from './open-upstreams.ts';
