export { createContext, type ContextParts } from './create-context.ts';
export { createOrigin } from './create-origin.ts';
export { findRunningOrigin, type OriginAddress } from './find-running-origin.ts';
export { startOrigin, type RunningOrigin, type StartOriginOptions } from './start-origin.ts';
