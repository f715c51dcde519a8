import type { UserRow } from '#origin/platform/accounts/index.ts';

/** Who asks. Without a user: anybody. */
export interface Caller {
  user?: UserRow;
  /** The application password that was shown, by its uuid. */
  applicationPassword?: string;
  /** The browser session that asks, by its id. */
  session?: string;
}

export const ANONYMOUS: Caller = {};
