import { UsageError } from './usage-error.ts';

/** @throws UsageError for what is no http(s) address. */
export function readHttpAddress(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`"${text}" is not an http(s) address.`, 'Write it as in https://www.example.com');
}
