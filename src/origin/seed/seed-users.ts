import { createApplicationPassword, createUser } from '../accounts/index.ts';
import type { OriginContext } from '../origin-context.ts';
import type { Bootstrap } from './read-bootstrap.ts';

/** Creates the users of a bootstrap file, with their passwords. */
export async function seedUsers(context: OriginContext, users: Bootstrap['users']): Promise<void> {
  for (const { password, applicationPassword, ...named } of users) {
    const { id } = await createUser(context, { ...named, ...(password !== undefined && { password }) });
    if (applicationPassword === undefined) continue;
    await createApplicationPassword(context, { userId: id, name: 'bootstrap', plain: applicationPassword });
  }
}
