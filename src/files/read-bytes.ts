import { encodeText } from './encode-text.ts';

/** What to write of an answer; undefined for redirects and empty answers. */
export async function readBytes(answer: string | Response): Promise<Uint8Array | undefined> {
  if (typeof answer === 'string') return encodeText(answer);
  if ((answer.status >= 300 && answer.status < 400) || !answer.body) return undefined;
  return new Uint8Array(await answer.arrayBuffer());
}
