import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { can } from '../publishing/callers/index.ts';
import { user } from '../store/schema.ts';
import { defineAbility } from './ability.ts';
import { INTERFACE_VERSION } from './interface-version.ts';

export const getEnvironmentInfo = defineAbility({
  name: 'core/get-environment-info',
  label: 'Get Environment Info',
  description: 'Tells what the origin runs on.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: z.strictObject({}).default({}),
  output: z.object({
    environment: z.string().meta({ description: 'What the origin is run for.' }),
    node_version: z.string().meta({ description: 'Version of Node.' }),
    db_server_info: z.string().meta({ description: 'Version of the store.' }),
    store: z.enum(['pglite', 'postgres']).meta({ description: 'Whether the store is embedded.' }),
    wp_version: z.string().meta({ description: 'Version of the interface.' }),
  }),
  mayRun: (caller) => can(caller, 'manage_options'),
  async run(_, { context: { store } }) {
    const [row] = await store.db
      .select({ version: sql<string>`version()` })
      .from(user)
      .limit(1);
    return {
      environment: process.env['NODE_ENV'] ?? 'production',
      node_version: process.versions.node,
      db_server_info: row?.version ?? '',
      store: store.engine,
      wp_version: INTERFACE_VERSION,
    };
  },
});
