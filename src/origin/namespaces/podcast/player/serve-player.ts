import * as routes from '#contracts/player/routes.ts';
import * as contract from '#contracts/player/config.ts';
import { can, ANONYMOUS } from '#origin/platform/http/callers/caller.ts';
import { item, requireRight, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { listShowTerms, servePlayerEpisodes } from './player-episodes.ts';
import { and, eq, or, sql } from 'drizzle-orm';
import { formatPlayTime } from '#contracts/podcast/play-time.ts';
import { fillPath } from '#contracts/index.ts';
import { canEdit, canRead, isReadableBy } from '#origin/platform/content/content-rights.ts';
import { thumbnailOf } from '#origin/platform/content/embeds.ts';
import { getContentUrl, loadAncestors } from '#origin/platform/content/content-url.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import { z } from 'zod';
import { announce } from '#origin/platform/events/announce.ts';
import { lockOption, readOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';

/** The `player` namespaces, which serve the episodes of the podcast to players. */
export const player: NamespaceModule = {
  name: 'player',
  description: 'The podcast player: its settings, and the episodes it plays.',
  namespaces: ['player/5.9.2', 'player/shortcode', 'player'],
  serve(registry) {
    serveOptions(registry);
    registry.serve(routes.getPlayerSetup, getSetup);
    registry.serve(routes.getPlayerSetupUncached, getSetup);
    const permit = authorizePost;
    registry.serve(routes.getPlayerPost, async (call) => item<routes.PlayerPost>(await presentPost(call)), { permit });
    servePlayerEpisodes(registry);
  },
};

function serveOptions(registry: RouteRegistry): void {
  const permit = requireRight(
    'manage_options',
    'rest_forbidden',
    'Only users who manage the site may set up the player.',
  );
  const serve = registry.with({ permit });
  serve(routes.bootstrapPlayer, async (call) => {
    const shows = await listShowTerms(call);
    return item({
      ...(await loadPlayerOptions(call)),
      presets: {
        configs: contract.CONFIG_PRESETS,
        themes: contract.THEME_PRESETS,
        templates: contract.TEMPLATE_PRESETS,
      },
      shows: shows.length === 0 ? { data: [] } : shows,
    });
  });
  registry.serve(routes.getPlayerOptions, async (call) => item(await loadPlayerOptions(call)));
  serve(routes.listShows, async (call) => item(await listShowTerms(call)));

  serve(routes.savePlayerConfig, async (call) => {
    const config = contract.createPlayerConfig(call.body);
    await updatePlayerOptions(call, ({ configs }) => void (configs[call.params.id] = config));
    return item(config);
  });
  serve(routes.savePlayerTheme, async (call) => {
    const theme = contract.createPlayerTheme(call.body);
    await updatePlayerOptions(call, ({ themes }) => void (themes[call.params.id] = theme));
    return item(theme);
  });
  serve(routes.savePlayerTemplate, async (call) => {
    const template = contract.createPlayerTemplate(call.body.template);
    await updatePlayerOptions(call, ({ templates }) => void (templates[call.params.id] = template));
    return item(template);
  });
  serve(routes.savePlayerSettings, async (call) => {
    const settings = contract.createPlayerSettings(call.body);
    await updatePlayerOptions(call, (stored) => void (stored.settings = settings));
    return item(presentPlayerSettings(settings, call.context));
  });

  const text = 'The default can be changed but not deleted: other entries fall back to it.';
  const checks = { id: (id: unknown) => (id === contract.DEFAULT_ID ? { text } : undefined) };
  for (const [route, part, setting] of [
    [routes.deletePlayerConfig, 'configs', 'config'],
    [routes.deletePlayerTheme, 'themes', 'theme'],
    [routes.deletePlayerTemplate, 'templates', 'template'],
  ] as const)
    registry.with({ permit, checks })(route, async (call) => {
      const { id } = call.params;
      await updatePlayerOptions(call, ({ [part]: entries, settings: { defaults } }) => {
        delete entries[id];
        // Settings that used it fall back to the default.
        if (defaults[setting] === id) defaults[setting] = contract.DEFAULT_ID;
      });
      return item(true);
    });
}

/** Width of post images in the player, in pixels. */
const POSTER_WIDTH = 500;

/** Combines a configuration and a theme for the player. Unknown IDs fall back to the defaults. */
async function getSetup(call: AnyCall & { params: { config: string; theme: string } }) {
  const { configs, themes, settings } = await loadPlayerOptions(call);
  const config = choose(configs, call.params.config) ?? contract.DEFAULT_CONFIG;
  const base = settings.source.items[settings.source.selected];
  const { clients } = config['subscribe-button'];
  const playlist = playlistPath(config['related-episodes']);
  return item<routes.PlayerSetup>({
    ...config,
    'subscribe-button': clients.length === 0 ? null : config['subscribe-button'],
    share: { ...config.share, outlet: config.share.outlet === null ? null : `${base}share.html` },
    version: routes.PLAYER_DATA_VERSION,
    ...(playlist === undefined ? {} : { playlist: call.addresses.rest(playlist) }),
    theme: choose(themes, call.params.theme) ?? contract.DEFAULT_THEME,
    base,
  });
}

function choose<T>(all: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(all, id) ? all[id] : all[contract.DEFAULT_ID];
}

function playlistPath({ source, value }: contract.PlayerConfig['related-episodes']): string | undefined {
  if (source === 'podcast') return routes.getPlaylist.path;
  return source === 'show' ? fillPath(routes.getShowPlaylist.path, { slug: value ?? '' }) : undefined;
}

type PostCall = Call<typeof routes.getPlayerPost>;

/** Loads the post and its ancestors, once for authorization and response. */
function loadPost(call: PostCall) {
  const { context, memo, params, caller, refuse } = call;
  return memo.once('post', async () => {
    const { db } = context.store;
    const [row] = await db.select().from(content).where(eq(content.id, params.id));
    // Callers who can't edit posts get the same error for missing posts and for drafts.
    if (!row || !context.kinds.get(row.type)?.hasPage)
      throw can(caller, 'edit_posts')
        ? refuse('rest_not_found', 'There is no post with this id.')
        : createForbiddenError(call);
    return { row, ancestors: await loadAncestors(db, [row]) };
  });
}

async function authorizePost(call: PostCall): Promise<void> {
  const { row, ancestors } = await loadPost(call);
  const parentOf = ({ parentId }: { parentId: number }) => ancestors.get(parentId);
  const isOpen = row.password === '' ? canRead(row, call.caller, parentOf) : canEdit(row, call.caller, parentOf);
  if (!isOpen) throw createForbiddenError(call);
}

function createForbiddenError({ refuse }: PostCall): RestError {
  return refuse('rest_forbidden', 'You are not allowed to read this post.');
}

/** Describes a post and the first audio file that was uploaded to it. */
async function presentPost(call: PostCall): Promise<routes.PlayerPost> {
  const { context, addresses } = call;
  const { row, ancestors } = await loadPost(call);
  const { audio, image } = await findFiles(call, row);
  const file = audio && readMediaFile(audio, `${addresses.site}/uploads`);
  const seconds = file?.details['length'];
  const { name, description } = await loadSite(call);
  return {
    title: row.title,
    duration: typeof seconds === 'number' ? formatPlayTime(seconds * 1000) : null,
    link: getContentUrl(row, { site: addresses.site, kinds: context.kinds }, ancestors),
    poster: thumbnailOf(image, addresses.site, POSTER_WIDTH)?.url ?? false,
    audio: [
      audio
        ? {
            mimeType: audio.mimeType,
            url: file?.url ?? '',
            size: file?.details.filesize ?? null,
            title: audio.mimeType.toUpperCase(),
          }
        : { mimeType: null, url: '', size: null, title: '' },
    ],
    chapters: [],
    show: { title: escapeHtml(name), subtitle: escapeHtml(description), link: addresses.site },
    transcripts: [],
  };
}

/** Finds the first audio file that was uploaded to a post, and its featured image if that is public. */
async function findFiles({ context }: AnyCall, { id, featuredMedia }: ContentRow) {
  const isAudio = sql`a.type = 'attachment' and a.parent_id = ${id} and a.mime_type like 'audio/%'`;
  const firstAudio = sql`${content.id} = (select min(a.id) from ${content} a where ${isAudio})`;
  const isImage = and(eq(content.id, featuredMedia), isReadableBy(ANONYMOUS));
  const found = await context.store.db
    .select({ row: content, isAudio: sql<boolean>`${firstAudio}` })
    .from(content)
    .where(and(eq(content.type, 'attachment'), or(isImage, firstAudio)));
  return {
    audio: found.find((one) => one.isAudio)?.row,
    image: found.find((one) => one.row.id === featuredMedia)?.row,
  };
}

/** Option that stores the player settings, and `what` of its events. */
export const PLAYER_OPTION = 'player';

/** Maximum number of configurations, of themes and of templates. */
const MAX_ENTRIES = 100;

/** Stored options of the player. They contain `default` only if it has been saved. */
const storedPlayer = z.object({
  settings: contract.playerSettings
    .omit({ contentWidth: true })
    .extend({ source: contract.playerSettings.shape.source.shape.selected })
    .default(contract.createPlayerSettings({ source: 'local' })),
  configs: z.record(z.string(), contract.playerConfig).default({}),
  themes: z.record(z.string(), contract.playerTheme).default({}),
  templates: z.record(z.string(), z.string()).default({}),
});
type StoredPlayer = z.output<typeof storedPlayer>;

/** Loads the stored options together with the built-in defaults. */
async function loadPlayerOptions({ context }: AnyCall) {
  const stored = storedPlayer.parse(await readOption(context.store.db, PLAYER_OPTION));
  return {
    settings: presentPlayerSettings(stored.settings, context),
    configs: { default: contract.DEFAULT_CONFIG, ...stored.configs },
    themes: { default: contract.DEFAULT_THEME, ...stored.themes },
    templates: { default: contract.DEFAULT_TEMPLATE, ...stored.templates },
  };
}

/**
 * Adds the locations of the player's files, from the npm package `@podlove/web-player`. A site with this player serves
 * them below `player/` or uses a CDN. The built-in player doesn't need them.
 */
function presentPlayerSettings(
  { source: selected, ...rest }: StoredPlayer['settings'],
  { publicUrl }: OriginContext,
): contract.PlayerSettings {
  const items = { local: `${publicUrl}/player/`, cdn: 'https://cdn.jsdelivr.net/npm/@podlove/web-player@5/' };
  return { source: { selected, items }, ...rest, contentWidth: null };
}

/** Changes the stored options and announces the event. @throws `rest_invalid_param` above `MAX_ENTRIES` */
async function updatePlayerOptions(call: AnyCall, change: (stored: StoredPlayer) => void): Promise<void> {
  await retryTransaction(call.context.store.db, async (tx) => {
    const value = storedPlayer.parse(await lockOption(tx, PLAYER_OPTION));
    change(value);
    for (const kind of ['configs', 'themes', 'templates'] as const) {
      const count = Object.keys(value[kind]).length;
      if (count > MAX_ENTRIES)
        throw call.refuse('rest_invalid_param', `The limit of ${MAX_ENTRIES} ${kind} is reached. Delete one first.`);
    }
    await storeOption(tx, PLAYER_OPTION, value);
    await announce(tx, { what: 'settings', id: PLAYER_OPTION, action: 'updated' });
  });
}
