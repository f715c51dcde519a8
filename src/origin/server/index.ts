export { MODULES } from './modules.ts';
export { createOrigin } from './create-origin.ts';
export { startOrigin, type RunningOrigin, type StartOriginOptions } from './start-origin.ts';
