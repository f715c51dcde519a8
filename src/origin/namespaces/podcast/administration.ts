import { z } from 'zod';
import * as routes from '#contracts/podcast/administration.ts';
import { generateFileName } from '#contracts/podcast/media-names.ts';
import { sealText, unsealText } from '#origin/platform/accounts/sealed-texts.ts';
import { item, requireRight, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { lockOption, readOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { loadEpisode, authorizeEpisodeWrite } from './find-episode.ts';
import { podcastAsset } from './tables.ts';

/** Option that stores the onboarding state and the token of a hosting service. */
const OPTION = 'podcast-administration';

const storedAdministration = z.object({
  onboarding: routes.onboarding.default({ banner_hide: false, type: null }),
  features: z
    .object({ fileStorage: z.boolean().nullable(), feedProxy: z.boolean().nullable() })
    .default({ fileStorage: null, feedProxy: null }),
  /** Encrypted, in Base64; empty if none is set. */
  token: z.string().default(''),
  isMoved: z.boolean().default(false),
});
type Administration = z.output<typeof storedAdministration>;

/** Serves onboarding, admin tools, file names, and the routes of a hosting service ("plus"). */
export function serveAdministration(registry: RouteRegistry): void {
  const permit = requireRight('manage_options', 'rest_forbidden', 'Only users who manage the site may do this.');
  const serve = registry.with({ permit });
  const writeEpisode = registry.with({
    permit: (call: EpisodeIdCall) => authorizeEpisodeWrite(withEpisodeId(call)),
  });
  // Nothing to clear: cached feeds follow the store.
  serve(routes.clearCaches, () => item({ status: 'ok' }));
  serve(routes.getOnboarding, async ({ context }) => item((await load(context)).onboarding));
  serve(routes.updateOnboarding, async ({ context, body }) => {
    await change(context, (stored) => {
      if (body.banner_hide !== undefined) stored.onboarding.banner_hide = body.banner_hide;
      if (body.type !== undefined) stored.onboarding.type = routes.onboarding.shape.type.catch(null).parse(body.type);
    });
    return item({ status: 'ok' });
  });
  // Nothing to set up: uploads, authors and transcripts need no preparation.
  serve(routes.setUpPodcast, () => item({ status: 'ok' }));
  writeEpisode(routes.generateMediaName, async (call) => {
    const { original_filename, episode_id } = call.body;
    const { episode } = await loadEpisode(withEpisodeId(call));
    const assets = await call.context.store.db.select().from(podcastAsset).orderBy(podcastAsset.position);
    const named = assets.map(({ suffix, fileType }) => ({ suffix, extension: fileType }));
    const generated_filename = generateFileName(original_filename, episode.slug ?? '', named);
    return item({ original_filename, generated_filename, episode_id });
  });

  // Routes of a hosting service, which would store the files and serve the feeds for the site. No service is connected:
  // settings are stored without effect, and files stay where they are.
  serve(routes.getHostedFeatures, async ({ context }) => {
    const { fileStorage, feedProxy } = (await load(context)).features;
    return item({ file_storage: fileStorage, feed_proxy: feedProxy });
  });
  serve(routes.setHostedFeature, async ({ context, body, refuse }) => {
    const feature = routes.hostedFeature.safeParse(body.feature);
    if (!feature.success) {
      const names = routes.hostedFeature.options.join(' or ');
      throw refuse('rest_forbidden', `Unknown service. Use ${names}.`, { status: 400 });
    }
    await change(context, ({ features }) => void (features[feature.data] = body.value ?? false));
    return item(null);
  });
  // Empty without a token, or if it was encrypted with another key.
  serve(routes.getHostToken, async ({ context }) => {
    const { token } = await load(context);
    return item({ token: token === '' ? '' : (unsealText(context.key, Buffer.from(token, 'base64')) ?? '') });
  });
  serve(routes.saveHostToken, async ({ context, body }) => {
    const { token = '' } = body;
    const sealed = token === '' ? '' : Buffer.from(sealText(context.key, token)).toString('base64');
    await change(context, (stored) => void (stored.token = sealed));
    return item({ success: true });
  });
  serve(routes.validateHostToken, () => item({ user: null }));
  serve(routes.listEpisodesToMove, () => item({ episodes: [] }));
  serve(routes.getMoveStatus, async ({ context }) => item({ is_complete: (await load(context)).isMoved }));
  serve(routes.completeMove, async ({ context }) => {
    await change(context, (stored) => void (stored.isMoved = true));
    return item({ success: true });
  });
  serve(routes.moveHostedFile, async (call) => item(await requireToken(call)));
  for (const route of [routes.createHostedUpload, routes.findHostedFile, routes.completeHostedUpload] as const)
    writeEpisode(route, async (call) => item(await requireToken(call)));
}

type EpisodeIdCall = AnyCall<'rest_not_found'> & { body: { episode_id: number } };

/** Copies the episode ID of the body to the path parameters. */
function withEpisodeId<C extends EpisodeIdCall>(call: C) {
  return { ...call, params: { id: call.body.episode_id } };
}

type Context = AnyCall['context'];

/** Returns the response of a service that isn't connected. @throws RestError without a token */
async function requireToken({ context, refuse }: AnyCall<'podcast_plus_token_missing'>): Promise<false> {
  if ((await load(context)).token !== '') return false;
  throw refuse('podcast_plus_token_missing', 'No hosting service is connected. Save its token first.');
}

async function load({ store }: Context): Promise<Administration> {
  return storedAdministration.parse(await readOption(store.db, OPTION));
}

async function change({ store }: Context, write: (stored: Administration) => void): Promise<void> {
  await retryTransaction(store.db, async (tx) => {
    const value = storedAdministration.parse(await lockOption(tx, OPTION));
    write(value);
    await storeOption(tx, OPTION, value);
  });
}
