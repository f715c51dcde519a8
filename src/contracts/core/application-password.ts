import { z } from 'zod';
import { tooLong, wireForms } from '../wire.ts';
import { field, links } from './field.ts';
import { MAX_NAME_LENGTH, writing } from './writing.ts';

const readOnly = true;

/** A password that one application acts with for a user. Its letters are in the answer that makes it, and never again. */
export const applicationPassword = z
  .object({
    uuid: field('vem', z.string().meta({ format: 'uuid' }), { description: 'Id of the password', readOnly }),
    app_id: field('vem', z.string(), { description: 'UUID that the application gave itself, or nothing' }),
    name: field('vem', z.string(), { description: 'Name of the application' }),
    created: field('ve', z.string(), { description: 'When it was made, in UTC', readOnly }),
    last_used: field('ve', z.string().nullable(), { description: 'When it was used last, to the day', readOnly }),
    last_ip: field('ve', z.string().nullable(), { description: 'Address it was used from last', readOnly }),
    password: field('e', z.string().optional(), { description: 'The password, told once', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'application-password' });

export const applicationPasswordBody = writing(applicationPassword, {
  app_id: wireForms(z.guid().meta({ title: 'UUID' }), z.enum(['']).meta({ title: 'nothing' })),
  name: z
    .string()
    .min(1)
    .refine((name) => name.length <= MAX_NAME_LENGTH, { params: tooLong(MAX_NAME_LENGTH) })
    .refine((name) => name.trim() !== '', { params: { code: 'rest_invalid_pattern' } })
    .meta({ pattern: String.raw`.*\S.*` }),
});
