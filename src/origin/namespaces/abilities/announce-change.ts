import { z } from 'zod';
import { announce } from '#origin/platform/events/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { defineAbility } from '#origin/platform/abilities/ability.ts';

export const announceChange = defineAbility({
  name: 'sortiment/announce-change',
  label: 'Announce Change',
  description: 'Tells build hooks that something has changed, so that catalogues sync now.',
  category: 'site',
  annotations: { readonly: false, destructive: false, idempotent: false },
  input: z
    .strictObject({ what: z.string().min(1).max(60).default('site').meta({ description: 'What has changed' }) })
    .default({ what: 'site' }),
  output: z.object({ announced: z.literal(true) }),
  isAvailable: ({ hasReceivers = false }) => hasReceivers,
  mayRun: (caller) => can(caller, 'manage_options'),
  async run({ what }, { context }) {
    await retryTransaction(context.store.db, (tx) => announce(tx, { what, id: 'all', action: 'updated' }));
    return { announced: true };
  },
});
