import type { user } from '#origin/platform/store/schema.ts';

/** A user as stored. Carries the password's hash: never hand it to a response as it is. */
export type UserRow = typeof user.$inferSelect;
