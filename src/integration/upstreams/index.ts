export { ensureSnapshot } from './ensure-snapshot.ts';
export { isOriginPath } from './is-origin-path.ts';
export { openUpstreams, type OpenOrigin, type OpenUpstreams, type OpenUpstreamsOptions } from './ensure-snapshot.ts';
export { hasStore } from './demo-start.ts';
