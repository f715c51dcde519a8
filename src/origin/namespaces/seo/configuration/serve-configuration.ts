import { eq } from 'drizzle-orm';
import {
  checkCapability,
  enableTracking,
  FIRST_CONFIGURATION_STEPS,
  getConfigurationState,
  parseHandle,
  saveConfigurationState,
  setSiteRepresentation,
  setSocialProfiles,
} from '#contracts/seo/configuration.ts';
import type { RouteBody } from '#contracts/index.ts';
import { isWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { failure, item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import { lockOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { user } from '#origin/platform/store/schema.ts';
import { updateSeoOptions, loadSeoOptions, type SeoOptions } from '../options.ts';
import { managerRules } from '../authorize.ts';

const DONE = { success: true, status: 200 };

/** Serves the initial configuration: publisher, social profiles, and progress. */
export function serveConfiguration(registry: RouteRegistry): void {
  registry.serve(setSiteRepresentation, saveRepresentation, managerRules);
  registry.serve(setSocialProfiles, saveProfiles, managerRules);
  registry.serve(
    checkCapability,
    ({ caller, query }) => {
      const canEdit = can(caller, 'edit_users') || caller.user?.id === query.user_id;
      return item({ success: canEdit, status: canEdit ? 200 : 403 });
    },
    managerRules,
  );
  registry.serve(
    enableTracking,
    async (call) => {
      const { tracking } = call.body;
      await updateSeoOptions(call, (stored) =>
        stored.tracking === tracking ? {} : { tracking, toggled_tracking: true },
      );
      return item(DONE);
    },
    managerRules,
  );
  registry.serve(
    saveConfigurationState,
    async (call) => {
      const configuration_finished_steps = call.body.finishedSteps.map(plainText);
      const isInitialDone = configuration_finished_steps.length === FIRST_CONFIGURATION_STEPS;
      await updateSeoOptions(call, {
        configuration_finished_steps,
        ...(isInitialDone ? { first_time_install: false } : {}),
      });
      return item(DONE);
    },
    managerRules,
  );
  registry.serve(
    getConfigurationState,
    async (call) => {
      const { configuration_finished_steps } = await loadSeoOptions(call);
      return item({ success: true, status: 200, data: configuration_finished_steps });
    },
    managerRules,
  );
}

type Representation = Call<typeof setSiteRepresentation>;

/** Stores the valid fields and reports the invalid ones. */
async function saveRepresentation(call: Representation): Promise<ResultOf<typeof setSiteRepresentation>> {
  const { description, ...fields } = call.body;
  const failures = await findInvalidFields(call, fields);
  const invalid = new Set<string>(failures);
  const valid = Object.entries(fields).filter(([name, value]) => value !== undefined && !invalid.has(name));
  const cleaned = valid.map(([name, value]) => [name, typeof value === 'string' ? plainText(value) : value]);
  await updateSeoOptions(call, Object.fromEntries(cleaned) as Partial<SeoOptions>);
  if (description !== undefined) await saveTagline(call, plainText(description));
  if (failures.length === 0) return item(DONE);
  const error = `Invalid fields were not saved: ${failures.join(', ')}. Send absolute image URLs and existing IDs.`;
  return failure(400, { success: false, status: 400, error, failures });
}

type RepresentationFields = Omit<RouteBody<typeof setSiteRepresentation>, 'description'>;

async function findInvalidFields({ context }: Representation, fields: RepresentationFields): Promise<string[]> {
  const addresses = (['company_logo', 'person_logo'] as const).filter((name) => {
    const address = fields[name] ?? '';
    return address !== '' && !isWebAddress(address);
  });
  const owner = fields.company_or_person_user_id ?? 0;
  if (owner === 0) return addresses;
  const [found] = await context.store.db.select({ id: user.id }).from(user).where(eq(user.id, owner)).limit(1);
  return found ? addresses : [...addresses, 'company_or_person_user_id'];
}

/** Saves the tagline, which is a site setting. */
async function saveTagline({ context }: Representation, description: string): Promise<void> {
  await retryTransaction(context.store.db, async (tx) => {
    const stored = (await lockOption(tx, SITE_OPTION)) as { description?: unknown };
    if (stored.description === description) return;
    await storeOption(tx, SITE_OPTION, { ...stored, description });
    await announce(tx, { what: 'settings', id: SITE_OPTION, action: 'updated' });
  });
}

/** Saves all profiles, or none if one of them is invalid. */
async function saveProfiles(call: Call<typeof setSocialProfiles>): Promise<ResultOf<typeof setSocialProfiles>> {
  const { facebook_site, twitter_site, other_social_urls } = call.body;
  const otherUrls = other_social_urls ?? [];
  const handle = twitter_site === undefined || twitter_site === '' ? twitter_site : parseHandle(twitter_site);
  const failures = [
    ...(facebook_site === undefined || facebook_site === '' || isWebAddress(facebook_site) ? [] : ['facebook_site']),
    ...(twitter_site !== undefined && handle === undefined ? ['twitter_site'] : []),
    ...otherUrls.flatMap((url, i) => (url === '' || isWebAddress(url) ? [] : [`other_social_urls-${i}`])),
  ];
  if (failures.length > 0) {
    const error = `Invalid profile addresses: ${failures.join(', ')}. Nothing was saved.`;
    return item({ json: { success: false, status: 200, error, failures } });
  }
  await updateSeoOptions(call, {
    ...(facebook_site === undefined ? {} : { facebook_site }),
    ...(handle === undefined ? {} : { twitter_site: handle }),
    ...(other_social_urls ? { other_social_urls: otherUrls.filter((url) => url !== '') } : {}),
  });
  return item({ json: { success: true, status: 200 } });
}
