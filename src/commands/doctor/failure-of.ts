import { messageOf, isSortimentError } from '#contracts/index.ts';
import { fail, type Finding } from './finding.ts';

/** An error as a finding. */
export function failureOf(check: string, error: unknown): Finding {
  if (isSortimentError(error)) return fail(check, error.message, error.hint ?? '');
  return fail(check, messageOf(error), 'Set SORTIMENT_DEBUG=1 to see more.');
}
