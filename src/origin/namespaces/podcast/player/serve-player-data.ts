import { and, eq, or, sql } from 'drizzle-orm';
import {
  DEFAULT_CONFIG,
  DEFAULT_ID,
  DEFAULT_THEME,
  getPlayerPost,
  getPlayerSetup,
  getPlayerSetupUncached,
  getPlaylist,
  getShowPlaylist,
  PLAYER_DATA_VERSION,
  type PlayerConfig,
  type PlayerPost,
  type PlayerSetup,
} from '#contracts/player/index.ts';
import { formatPlayTime } from '#contracts/podcast/index.ts';
import { fillPath } from '#contracts/index.ts';
import { canEdit, canRead } from '#origin/platform/content/content-rights.ts';
import { ANONYMOUS, can } from '#origin/platform/http/callers/caller.ts';
import { thumbnailOf } from '#origin/platform/content/embeds/find-thumbnail.ts';
import { getContentUrl } from '#origin/platform/content/content-url.ts';
import { ancestorsById, ancestorsColumn } from '#origin/platform/content/load-ancestors.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import {
  item,
  type Addresses,
  type AnyCall,
  type Call,
  type RestError,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { cacheSite, loadSite, SITE_COLUMN } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadPlayerOptions, type PlayerOptions } from './player-options.ts';

/** Width of post images in the player, in pixels. */
const POSTER_WIDTH = 500;

/** Serves players their configuration and theme, and posts with audio. */
export function servePlayerData(registry: RouteRegistry): void {
  registry.serve(getPlayerSetup, getSetup);
  registry.serve(getPlayerSetupUncached, getSetup);
  registry.serve(getPlayerPost, async (call) => item<PlayerPost>(await presentPost(call)), { permit: authorizePost });
}

async function getSetup(call: AnyCall & { params: { config: string; theme: string } }) {
  return item<PlayerSetup>(presentSetup(await loadPlayerOptions(call), call.params, call.addresses));
}

/** Combines a configuration and a theme for the player. Unknown IDs fall back to the defaults. */
function presentSetup(
  { configs, themes, settings }: PlayerOptions,
  chosen: { config: string; theme: string },
  { rest }: Addresses,
): PlayerSetup {
  const config = choose(configs, chosen.config) ?? DEFAULT_CONFIG;
  const base = settings.source.items[settings.source.selected];
  const { clients } = config['subscribe-button'];
  const playlist = playlistPath(config['related-episodes']);
  return {
    ...config,
    'subscribe-button': clients.length === 0 ? null : config['subscribe-button'],
    share: { ...config.share, outlet: config.share.outlet === null ? null : `${base}share.html` },
    version: PLAYER_DATA_VERSION,
    ...(playlist === undefined ? {} : { playlist: rest(playlist) }),
    theme: choose(themes, chosen.theme) ?? DEFAULT_THEME,
    base,
  };
}

function choose<T>(all: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(all, id) ? all[id] : all[DEFAULT_ID];
}

function playlistPath({ source, value }: PlayerConfig['related-episodes']): string | undefined {
  if (source === 'podcast') return getPlaylist.path;
  return source === 'show' ? fillPath(getShowPlaylist.path, { slug: value ?? '' }) : undefined;
}

type PostCall = Call<typeof getPlayerPost>;

/** Loads the post and its ancestors, once for authorization and response. */
function loadPost(call: PostCall) {
  const { context, memo, params, caller, refuse } = call;
  return memo.once('post', async () => {
    const [found] = await context.store.db
      .select({ row: content, above: ancestorsColumn(content.parentId), site: SITE_COLUMN })
      .from(content)
      .where(eq(content.id, params.id));
    const row = found?.row;
    // Callers who can't edit posts get the same error for missing posts and for drafts.
    if (!row || !context.kinds.get(row.type)?.hasPage)
      throw can(caller, 'edit_posts')
        ? refuse('rest_not_found', 'There is no post with this id.')
        : createForbiddenError(call);
    cacheSite(call, found.site);
    return { row, ancestors: ancestorsById(found.above) };
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
async function presentPost(call: PostCall): Promise<PlayerPost> {
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
  const found = await context.store.db
    .select({ row: content, above: ancestorsColumn(content.parentId), isAudio: sql<boolean>`${firstAudio}` })
    .from(content)
    .where(and(eq(content.type, 'attachment'), or(eq(content.id, featuredMedia), firstAudio)));
  const image = found.find((one) => one.row.id === featuredMedia);
  const above = ancestorsById(image?.above ?? null);
  const isOpen = image && canRead(image.row, ANONYMOUS, ({ parentId }) => above.get(parentId));
  return { audio: found.find((one) => one.isAudio)?.row, image: isOpen ? image.row : undefined };
}
