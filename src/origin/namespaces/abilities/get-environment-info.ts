import { sql } from 'drizzle-orm';
import { environmentInfo } from '#contracts/abilities.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { user } from '#origin/platform/store/schema.ts';
import { defineAbility } from '#origin/platform/abilities/ability.ts';
import { chooseFields, fieldChoice } from '#origin/platform/abilities/chosen-fields.ts';
import { INTERFACE_VERSION } from './interface-version.ts';

export const getEnvironmentInfo = defineAbility({
  name: 'core/get-environment-info',
  label: 'Get Environment Info',
  description: 'Tells what the origin runs on: all of it, or the fields that are named.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldChoice(environmentInfo),
  output: environmentInfo,
  mayRun: (caller) => can(caller, 'manage_options'),
  async run({ fields }, { context: { store } }) {
    const [row] = await store.db
      .select({ version: sql<string>`version()` })
      .from(user)
      .limit(1);
    const info = {
      environment: environmentInfo.shape.environment.catch('production').parse(process.env['NODE_ENV']),
      php_version: `Node.js ${process.versions.node}`,
      db_server_info: `${row?.version ?? ''}${store.engine === 'pglite' ? ' (PGlite)' : ''}`,
      wp_version: INTERFACE_VERSION,
    };
    return chooseFields(info, fields);
  },
});
