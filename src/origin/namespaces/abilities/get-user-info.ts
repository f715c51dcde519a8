import { userInfo } from '#contracts/abilities.ts';
import { defineAbility } from '#origin/platform/abilities/ability.ts';
import { chooseFields, fieldChoice } from '#origin/platform/abilities/chosen-fields.ts';
import { profileOf } from '#origin/platform/accounts/users.ts';
import { signedIn } from '#origin/platform/http/transport/signed-in.ts';
import { loadSite, relocate } from '#origin/platform/site/index.ts';

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
