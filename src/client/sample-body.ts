import { maskSecret } from './mask-secret.ts';

const SAMPLE_LENGTH = 200;

/** The begin of a body as one line that may be shown. @param secret What must not be in it. */
export function sampleBody(body: string, secret: string | undefined): string {
  return maskSecret(body, secret)
    .replace(/\p{C}+|\s+/gu, ' ')
    .trim()
    .slice(0, SAMPLE_LENGTH);
}
