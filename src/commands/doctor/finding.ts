/** What a check found out. */
export interface Finding {
  /** What was checked: one or two words. */
  check: string;
  /** `skip`: there is nothing to check, or an earlier finding keeps it from being checked. */
  status: 'ok' | 'warn' | 'fail' | 'skip';
  message: string;
  /** What to do about it; for `warn` and `fail`. */
  hint?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const skip = (check: string, message: string): Finding => ({ check, status: 'skip', message });
export const warn = (check: string, message: string, hint: string): Finding => ({
  check,
  status: 'warn',
  message,
  hint,
});
export const fail = (check: string, message: string, hint: string): Finding => ({
  check,
  status: 'fail',
  message,
  hint,
});
