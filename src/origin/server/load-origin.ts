export { findRunningOrigin } from '#origin/platform/process/running-origin.ts';

/** Loads the server on demand. Loading takes as long as building a small site. */
export function loadOrigin(): Promise<typeof import('./index.ts')> {
  return import('./index.ts');
}
