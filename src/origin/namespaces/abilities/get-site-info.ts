import { siteInfo } from '#contracts/abilities.ts';
import { defineAbility } from '#origin/platform/abilities/ability.ts';
import { chooseFields, fieldChoice } from '#origin/platform/abilities/chosen-fields.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { showSettings } from '#origin/platform/site/load-site.ts';
import { INTERFACE_VERSION } from './interface-version.ts';

export const getSiteInfo = defineAbility({
  name: 'core/get-site-info',
  label: 'Get Site Information',
  description: 'Tells what the site is called and where it is reached: all of it, or the fields that are named.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldChoice(siteInfo),
  output: siteInfo,
  mayRun: (caller) => can(caller, 'manage_options'),
  async run({ fields }, call) {
    const { title, description, url, email, language } = await showSettings(call);
    const info = {
      name: title,
      description,
      url,
      wpurl: url,
      admin_email: email,
      charset: 'UTF-8',
      language: language.replace('_', '-'),
      version: INTERFACE_VERSION,
    };
    return chooseFields(info, fields);
  },
});
