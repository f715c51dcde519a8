import { createApplicationPassword, createUser } from '#origin/platform/accounts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Bootstrap } from './read-bootstrap.ts';

/**
 * Creates the users of a bootstrap file, with their passwords. The page of the first administrator is the site itself,
 * unless the file names another one.
 */
export async function seedUsers(context: OriginContext, users: Bootstrap['users']): Promise<void> {
  const owner = users.find(({ role }) => role === 'administrator');
  for (const planned of users) {
    const {
      applicationPassword: plain,
      applicationPasswordName: name = 'bootstrap',
      applicationPasswordId: uuid,
      ...account
    } = planned;
    const url = account.url ?? (planned === owner ? context.publicUrl : undefined);
    const { id } = await createUser(context, { ...account, url });
    if (plain !== undefined) await createApplicationPassword(context, { userId: id, name, plain, uuid });
  }
}
