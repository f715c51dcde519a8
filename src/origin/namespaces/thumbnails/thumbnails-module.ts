import { fileURLToPath } from 'node:url';
import { gt, ne, and, asc } from 'drizzle-orm';
import {
  getPictureSizes,
  listFeaturedPictures,
  regeneratePicture,
  THUMBNAIL_ERRORS,
} from '#contracts/thumbnails/routes.ts';
import { loadContentView } from '#origin/platform/content/present-content.ts';
import { collection, item, type AnyCall, type ParameterCheck } from '#origin/platform/http/transport/call.ts';
import { RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import { findContentRow, authorizeRegeneration, regenerateImage, presentSizes } from './regenerate.ts';
import { startJobs, serveJobs } from './jobs/jobs.ts';
import { updateAllUsages } from './usages/update-usages.ts';

/** Limits the posts per query, so that other requests aren't blocked. */
const POSTS_PER_STEP = 100;

export const thumbnails: NamespaceModule = {
  name: 'thumbnails',
  description: 'Lists the sizes of images and regenerates them, individually or in bulk.',
  namespaces: ['thumbnails/v1'],
  migrations: fileURLToPath(new URL('migrations', import.meta.url)),
  serve(registry) {
    serveImages(registry);
    serveJobs(registry);
  },
  start: startJobs,
};

function serveImages(registry: RouteRegistry): void {
  // Responses depend on files, whose changes don't invalidate the cache.
  const rules = { permit: authorizeRegeneration, isKept: false };
  registry.with(rules)(getPictureSizes, (call) =>
    withAttachment(call, async () => item(await presentSizes(call, call.params.id))),
  );
  registry.with({
    ...rules,
    checks: {
      update_usages_in_posts_post_type: mustBeList('["post", "page"]'),
      update_usages_in_posts_post_ids: mustBeList('[12, 15]'),
    },
  })(regeneratePicture, (call) =>
    withAttachment(call, async () => {
      const { update_usages_in_posts: shouldUpdatePosts, update_usages_in_posts_post_ids: posts } = call.query;
      const isChanged = await regenerateImage(call, call.params.id, call.query);
      // Posts named in the request are checked even if no size has changed.
      if (shouldUpdatePosts && (isChanged || posts.length > 0))
        await updateAllUsages(call.context, {
          types: call.query.update_usages_in_posts_post_type,
          ids: posts,
          limit: POSTS_PER_STEP,
          pictures: call.params.id,
          authorId: call.caller.user?.id ?? 0,
        });
      return item(await presentSizes(call, call.params.id));
    }),
  );
  registry.with({ permit: authorizeRegeneration })(listFeaturedPictures, async (call) => {
    const { page, per_page: perPage } = call.query;
    const { db } = call.context.store;
    const featured = db
      .selectDistinct({ id: content.featuredMedia })
      .from(content)
      .where(and(gt(content.featuredMedia, 0), ne(content.type, 'revision')))
      .as('featured');
    const total = await db.$count(featured);
    if (total > 0 && page > Math.ceil(total / perPage))
      throw call.refuse('rest_post_invalid_page_number', 'The page number exceeds the number of pages.');
    const rows = await db
      .select()
      .from(featured)
      .orderBy(asc(featured.id))
      .limit(perPage)
      .offset((page - 1) * perPage);
    return collection(rows, total, { page, perPage });
  });
}

/** Rejects comma-separated strings, which other routes accept as lists. */
function mustBeList(example: string): ParameterCheck {
  return (sent) => (Array.isArray(sent) ? undefined : { text: `This must be a list, such as ${example}.` });
}

type PictureCall = AnyCall<keyof typeof THUMBNAIL_ERRORS> & { params: { id: number } };

/** Adds the media item to errors. It precedes the status, which stock servers move to the additional data. */
async function withAttachment<T>(call: PictureCall, handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof RestError) || !isThumbnailError(error.code)) throw error;
    const row = await findContentRow(call, call.params.id);
    if (row?.type !== 'attachment') throw error;
    const view = await loadContentView(call, CONTENT_KINDS.attachment, [row], { context: 'view' });
    const attachment = await presentMedia(row, view);
    const additionalData = [{ status: error.status, ...error.options.details }];
    throw call.refuse(error.code, error.message, { details: { status: undefined, attachment }, additionalData });
  }
}

function isThumbnailError(code: string): code is keyof typeof THUMBNAIL_ERRORS {
  return code in THUMBNAIL_ERRORS;
}
