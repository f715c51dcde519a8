import type { UserRow } from './user-row.ts';

/**
 * Whether an account may read the product interface. Everybody but a `subscriber` may: that is the role of an
 * account that registered and was not admitted yet. It can sign in and is told 403 until it gets another role.
 */
export function mayReadProducts(user: Pick<UserRow, 'role'>): boolean {
  return user.role !== 'subscriber';
}
