import { z } from 'zod';
import { loadSite, relocate } from '../core/index.ts';
import { signedIn } from '../core/users/permit-user-writing.ts';
import { profileOf } from '../core/users/profile-of.ts';
import { defineAbility } from './ability.ts';

const text = z.string();

export const getUserInfo = defineAbility({
  name: 'core/get-user-info',
  label: 'Get User Information',
  description: 'Tells who the caller is.',
  category: 'user',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: z.strictObject({}).default({}),
  output: z.object({
    id: z.int(),
    display_name: text,
    user_nicename: text,
    user_login: text,
    roles: z.array(text),
    locale: text,
    first_name: text,
    last_name: text,
    nickname: text,
    description: text,
    user_url: text,
  }),
  mayRun: ({ user }) => user !== undefined,
  async run(_, call) {
    const row = signedIn(call.caller);
    const { url: storedUnder } = await loadSite(call);
    const { id, name, slug, login, role, description, url } = row;
    const { locale, ...profile } = profileOf(row);
    return {
      id,
      display_name: name,
      user_nicename: slug,
      user_login: login,
      roles: [role],
      locale,
      ...profile,
      description,
      user_url: relocate(url, storedUnder, call.addresses.site),
    };
  },
});
