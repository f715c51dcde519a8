import { SortimentError } from '#contracts/sortiment-error.ts';

/** Invalid usage of a command: nothing was done, and the exit code is 2. */
export class UsageError extends SortimentError {
  override readonly name = 'UsageError';

  constructor(message: string, hint?: string) {
    super('USAGE', message, { hint });
  }
}
