import { userInfo } from '../../contracts/abilities.ts';
import { loadSite, relocate } from '../core/index.ts';
import { signedIn } from '../core/users/permit-user-writing.ts';
import { profileOf } from '../core/users/profile-of.ts';
import { defineAbility } from './ability.ts';
import { chooseFields, fieldChoice } from './chosen-fields.ts';

export const getUserInfo = defineAbility({
  name: 'core/get-user-info',
  label: 'Get User Information',
  description: 'Tells who the caller is: all of it, or the fields that are named.',
  category: 'user',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldChoice(userInfo),
  output: userInfo,
  mayRun: ({ user }) => user !== undefined,
  async run({ fields }, call) {
    const row = signedIn(call.caller);
    const { url: storedUnder } = await loadSite(call);
    const { id, name, slug, login, role, description, url } = row;
    const { locale, ...profile } = profileOf(row);
    const info = {
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
    return chooseFields(info, fields);
  },
});
