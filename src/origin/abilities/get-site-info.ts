import { z } from 'zod';
import { wireList } from '../../contracts/index.ts';
import { answerSettings } from '../core/site-resources/settings.ts';
import { settings } from '../../contracts/core/index.ts';
import { can } from '../publishing/callers/index.ts';
import { defineAbility } from './ability.ts';
import { INTERFACE_VERSION } from './interface-version.ts';

const output = z.strictObject({
  name: z.string().meta({ title: 'Name', description: 'Name of the site.' }),
  description: z.string().meta({ title: 'Description', description: 'What the site is about.' }),
  url: z.string().meta({ title: 'Address', description: 'Where visitors reach the site.' }),
  wpurl: z.string().meta({ title: 'Address of the origin', description: 'Where the origin is reached.' }),
  admin_email: z.string().meta({ title: 'E-mail address', description: 'Address of the first administrator.' }),
  charset: z.string().meta({ title: 'Charset', description: 'Encoding of what the site sends.' }),
  language: z.string().meta({ title: 'Language', description: 'Language of the interface, as a language tag.' }),
  version: z.string().meta({ title: 'Version', description: 'Version of the publishing interface.' }),
});

const fields = wireList(z.enum(output.keyof().options)).optional();

export const getSiteInfo = defineAbility({
  name: 'core/get-site-info',
  label: 'Get Site Information',
  description: 'Tells what the site is called and where it is reached: all of it, or the fields that are named.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: z.strictObject({ fields: fields.meta({ description: 'Only these fields' }) }).default({}),
  output,
  mayRun: (caller) => can(caller, 'manage_options'),
  async run({ fields: wanted }, call) {
    const answer = await answerSettings(call);
    const { title, description, url, email, language } = settings.parse(answer.body);
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
    return Object.fromEntries(Object.entries(info).filter(([name]) => !wanted || wanted.some((one) => one === name)));
  },
});
