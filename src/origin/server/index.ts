export { MODULES } from './modules.ts';
export { createOrigin } from './create-origin.ts';
export { startOrigin, type RunningOrigin, type StartOriginOptions } from './start-origin.ts';
export { findRunningOrigin, type OriginAddress } from '#origin/platform/process/running-origin.ts';
