import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** `sanitize-html`, loaded when it is called first: a build in which no text has changed never does. */
export function sanitizeLater(...given: Parameters<typeof import('sanitize-html')>): string {
  return (require('sanitize-html') as typeof import('sanitize-html'))(...given);
}
