import { fileURLToPath } from 'node:url';
import { gt, ne, and, asc, countDistinct } from 'drizzle-orm';
import {
  getPictureSizes,
  listFeaturedPictures,
  regeneratePicture,
  THUMBNAIL_ERRORS,
} from '#contracts/thumbnails/index.ts';
import { loadContentView } from '#origin/platform/content/content-view.ts';
import {
  collection,
  item,
  RestError,
  type ResultOf,
  type AnyCall,
  type Call,
  type ParameterCheck,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import { findRow, permitRegeneration } from './find-picture.ts';
import { presentSizes } from './present-sizes.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { serveJobs } from './jobs/serve-jobs.ts';
import { regenerate } from './regenerate.ts';
import { updateAllUsages } from './usages/update-usages.ts';

/** Posts that are looked at in one go: more would keep other requests from the store. */
const POSTS_IN_STEP = 100;

/** The namespace `thumbnails/v1`. */
export const thumbnails: NamespaceModule = {
  name: 'thumbnails',
  description: 'Sizes of pictures: which there are, and making them anew, one by one or all.',
  namespaces: ['thumbnails/v1'],
  migrations: fileURLToPath(new URL('migrations', import.meta.url)),
  serve(registry) {
    servePictures(registry);
    serveJobs(registry);
  },
  start: startJobs,
};

function servePictures(registry: RouteRegistry): void {
  // They tell which files there are.
  const rules = { permit: permitRegeneration, isKept: false };
  registry.serve(
    getPictureSizes,
    (call) => withAttachment(call, async () => item(await presentSizes(call, call.params.id, call.addresses.site))),
    rules,
  );
  registry.serve(
    regeneratePicture,
    (call) =>
      withAttachment(call, async () => {
        const { update_usages_in_posts: isWanted, update_usages_in_posts_post_ids: posts } = call.query;
        const isChanged = await regenerate(call, call.params.id, call.query);
        // Posts that are named are looked at all the same; a job looks at all of them.
        if (isWanted && (isChanged || posts.length > 0)) await updatePosts(call);
        return item(await presentSizes(call, call.params.id, call.addresses.site));
      }),
    {
      ...rules,
      checks: {
        update_usages_in_posts_post_type: mustBeList('["post", "page"]'),
        update_usages_in_posts_post_ids: mustBeList('[12, 15]'),
      },
    },
  );
  registry.serve(listFeaturedPictures, answerFeatured, { permit: permitRegeneration });
}

function updatePosts({ context, caller, params, query }: Call<typeof regeneratePicture>): Promise<number> {
  return updateAllUsages(context, {
    types: query.update_usages_in_posts_post_type,
    ids: query.update_usages_in_posts_post_ids,
    limit: POSTS_IN_STEP,
    pictures: params.id,
    authorId: caller.user?.id ?? 0,
  });
}

/** Texts with commas are no lists here, unlike elsewhere. */
function mustBeList(example: string): ParameterCheck {
  return (sent) => (Array.isArray(sent) ? undefined : { text: `This must be a list, such as ${example}.` });
}

type PictureCall = AnyCall<keyof typeof THUMBNAIL_ERRORS> & { params: { id: number } };

/** Adds the media item that a refusal is about. As on other servers it goes before the status, which moves behind. */
async function withAttachment<T>(call: PictureCall, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof RestError) || !isOurs(error.code)) throw error;
    const row = await findRow(call, call.params.id);
    if (row?.type !== 'attachment') throw error;
    const view = await loadContentView(call, CONTENT_KINDS.attachment, [row], { context: 'view' });
    const attachment = await presentMedia(row, view);
    const additionalData = [{ status: error.status, ...error.details }];
    throw call.refuse(error.code, error.message, { details: { status: undefined, attachment }, additionalData });
  }
}

function isOurs(code: string): code is keyof typeof THUMBNAIL_ERRORS {
  return code in THUMBNAIL_ERRORS;
}

async function answerFeatured(call: Call<typeof listFeaturedPictures>): Promise<ResultOf<typeof listFeaturedPictures>> {
  const { page, per_page: perPage } = call.query;
  const { db } = call.context.store;
  const isFeatured = and(gt(content.featuredMedia, 0), ne(content.type, 'revision'));
  const [counted] = await db
    .select({ total: countDistinct(content.featuredMedia) })
    .from(content)
    .where(isFeatured);
  const total = counted?.total ?? 0;
  if (total > 0 && page > Math.ceil(total / perPage))
    throw call.refuse('rest_post_invalid_page_number', 'There are not that many pages.');
  const rows = await db
    .selectDistinct({ id: content.featuredMedia })
    .from(content)
    .where(isFeatured)
    .orderBy(asc(content.featuredMedia))
    .limit(perPage)
    .offset((page - 1) * perPage);
  return collection(rows, total, { page, perPage });
}
