import { and, eq, inArray, like, ne, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { languageName } from '#contracts/product/index.ts';
import { command, formatCount } from '#origin/admin/management/command.ts';
import { recordEntry, resolvePendingFiles } from '#origin/namespaces/core/media/store-media-files.ts';
import { listMediaFiles, mediaFiles } from '#origin/platform/media/media-files.ts';
import { podcastEpisode, podcastAsset, podcastFeed, podcastShow } from '#origin/namespaces/podcast/tables.ts';
import { SEO_OPTION, writeSeoOptions } from '#origin/namespaces/seo/options.ts';
import { ensureSyncUser, SYNC_LABEL } from '#origin/platform/accounts/product-tokens.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce, type OriginEvent } from '#origin/platform/events/announce.ts';
import { notifyListeners } from '#origin/platform/registry/content-kind.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import {
  applicationPassword,
  comment,
  content,
  contentTerm,
  option,
  product,
  productLanguage,
  productToken,
  session,
  term,
  user,
} from '#origin/platform/store/schema.ts';
import {
  DEMO_FOLDER,
  DEMO_LANGUAGES,
  readDemoContent,
  type DemoContent,
  type DemoSeo,
  type DemoPodcast,
} from './demo-content.ts';
import { motifPath, removeDemoMarker, podcastFiles, podcastUpload, showCover } from './demo-files.ts';
import {
  partitionDemoContent,
  partitionDemoProducts,
  partitionDemoTerms,
  type ContentRow,
  type RetainedRow,
  type TermRow,
} from './partition-demo.ts';
import { seedDefaultCategory, findSeed, SEED_OPTION } from './seed-origin.ts';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/index.ts';
import { episodePages } from '#origin/namespaces/podcast/find-episode.ts';
import { PLAYER_OPTION } from '#origin/namespaces/podcast/player/player-options.ts';
import { PODCAST_OPTION } from '#origin/namespaces/podcast/podcast-record.ts';
import { DEMO_PLAYER } from './seed-podcast.ts';

interface Removal {
  kept: RetainedRow[];
  removed: { products: number; languages: number; content: number; terms: number; users: number };
  /** Media rows whose files are removed too. */
  media: ContentRow[];
  /** Unreferenced product files: paths below `media/`. */
  files: string[];
  /** Podcast files: paths below the uploads folder. */
  uploads: string[];
}

/** Removes the demo, except rows that were changed since or that other content uses. */
export const removeDemo = command(z.strictObject({}), async (context) => {
  const seed = await findSeed(context);
  if (!seed?.demo && !seed?.hadDemo)
    return { message: 'There is no demo content in this store.', removed: {}, kept: [] };
  const demo = await readDemoContent(DEMO_FOLDER);
  const { removed, kept, media, files, uploads } = await writeContent(context.store.db, (tx) =>
    removeRows(tx, context, demo),
  );
  for (const row of media)
    await resolvePendingFiles(context.store.db, mediaFiles(context), listMediaFiles(row).original);
  for (const file of files) await context.files.media.remove(file);
  for (const file of uploads) await context.files.uploads.remove(file);
  await removeDemoMarker(context);
  return { message: formatRemoval(removed, kept), removed, kept, ...(kept.length > 0 && { rows: kept.map(toRow) }) };
});

async function removeRows(tx: Transaction, context: OriginContext, demo: DemoContent): Promise<Removal> {
  const products = await partitionDemoProducts(tx, demo);
  for (const { gtin, language } of products.removable)
    await tx.delete(product).where(and(eq(product.gtin, gtin), eq(product.language, language)));
  const languages = await removeLanguages(tx);

  const { removable, kept: keptContent } = await partitionDemoContent(tx, demo);
  const media = removable.filter(({ type }) => type === 'attachment');
  // Listed before the commit: if the process dies after it, the next start removes the files.
  for (const row of media) {
    const { original, paths } = listMediaFiles(row);
    await recordEntry(mediaFiles(context), original, { file: row.file, paths });
  }
  const ids = removable.map(({ id }) => id);
  const terms = await partitionDemoTerms(tx, demo, ids);
  await tx.delete(contentTerm).where(inArray(contentTerm.contentId, ids));
  await tx.delete(content).where(and(eq(content.type, 'revision'), inArray(content.parentId, ids)));
  await tx.delete(content).where(inArray(content.id, ids));
  const podcast = await removePodcast(tx, demo.podcast, removable);
  await tx.delete(term).where(
    inArray(
      term.id,
      terms.removable.map(({ id }) => id),
    ),
  );
  await resetSite(tx, demo, terms.removable);
  await removeSeo(tx, demo.seo);
  const users = await removeUsers(tx, context, demo);
  await tx
    .update(option)
    .set({ value: sql`${option.value} || '{"demo": false, "hadDemo": true}'::jsonb` })
    .where(eq(option.name, SEED_OPTION));
  await announce(tx, [
    ...new Set(products.removable.map(({ gtin }) => gtin)).values().map((id) => deleted('product', id)),
    ...removable.map(({ id, type }) => deleted(type === 'attachment' ? 'media' : type, String(id))),
    ...terms.removable.map(({ id, taxonomy }) => deleted(taxonomy === 'category' ? 'category' : 'tag', String(id))),
    ...users.removable.map((id) => deleted('user', String(id))),
  ]);
  await notifyListeners(tx, context, {
    content: ids,
    terms: terms.removable.map(({ id }) => id),
    users: users.removable,
  });
  return {
    kept: [...products.kept, ...keptContent, ...podcast.kept, ...terms.kept, ...users.kept],
    removed: {
      products: products.removable.length,
      languages,
      content: removable.length,
      terms: terms.removable.length,
      users: users.removable.length,
    },
    media,
    files: await filesOf(tx, demo),
    uploads: podcast.files,
  };
}

const deleted = (what: string, id: string): OriginEvent => ({ what, id, action: 'deleted' });

/** Removes languages without records. */
async function removeLanguages(tx: Transaction): Promise<number> {
  const names = DEMO_LANGUAGES.map((code) =>
    and(eq(productLanguage.code, code), eq(productLanguage.name, languageName(code))),
  );
  const isEmpty = sql`not exists (select 1 from ${product} where ${product.language} = ${productLanguage.code})`;
  const gone = await tx
    .delete(productLanguage)
    .where(and(or(...names), isEmpty))
    .returning({ code: productLanguage.code });
  await announce(
    tx,
    gone.map(({ code }) => deleted('language', code)),
  );
  return gone.length;
}

/** Resets name and description unless they were changed, and the default category if the demo's is removed. */
async function resetSite(tx: Transaction, { site }: DemoContent, removable: readonly TermRow[]): Promise<void> {
  const [stored] = await tx.select().from(option).where(eq(option.name, SITE_OPTION));
  const value = { ...(stored?.value as Record<string, unknown> | undefined) };
  if (value['name'] === site.name) value['name'] = 'Sortiment';
  if (value['description'] === site.description) value['description'] = '';
  if (removable.some(({ id }) => id === value['default_category'])) {
    const [left] = await tx.select({ id: term.id }).from(term).where(eq(term.slug, 'uncategorized')).limit(1);
    value['default_category'] = left?.id ?? (await seedDefaultCategory(tx));
  }
  await tx.update(option).set({ value }).where(eq(option.name, SITE_OPTION));
}

/** Resets the site's settings for heads, unless the owner changed its name. */
async function removeSeo(tx: Transaction, { site }: DemoSeo): Promise<void> {
  const [stored] = await tx.select().from(option).where(eq(option.name, SEO_OPTION));
  const { company_name: company } = (stored?.value ?? {}) as { company_name?: unknown };
  if (company === site.company_name)
    await writeSeoOptions(tx, { company_name: '', website_name: '', separator: '-', templates: {} });
}

/** Removes accounts without a password whose content is gone. The sync's token moves to another user. */
async function removeUsers(
  tx: Transaction,
  context: OriginContext,
  { users }: DemoContent,
): Promise<{ removable: number[]; kept: RetainedRow[] }> {
  const rows = await tx
    .select()
    .from(user)
    .where(
      inArray(
        user.login,
        users.map(({ login }) => login),
      ),
    )
    .orderBy(user.id);
  const removable: number[] = [];
  const kept: RetainedRow[] = [];
  for (const row of rows) {
    const planned = users.find(({ login }) => login === row.login);
    const isChanged =
      row.passwordHash !== '' || row.name !== planned?.name || row.email !== planned.email || row.role !== planned.role;
    const owns = await Promise.all([
      tx.$count(content, eq(content.authorId, row.id)),
      tx.$count(comment, eq(comment.authorId, row.id)),
      tx.$count(session, eq(session.userId, row.id)),
      tx.$count(applicationPassword, eq(applicationPassword.userId, row.id)),
      tx.$count(productToken, and(eq(productToken.userId, row.id), ne(productToken.label, SYNC_LABEL))),
    ]);
    if (!isChanged && owns.every((count) => count === 0)) removable.push(row.id);
    else
      kept.push({
        what: 'user',
        id: row.login,
        name: row.name,
        why: isChanged ? 'it was changed' : 'it owns content that stays',
      });
  }
  await tx.delete(user).where(inArray(user.id, removable));
  if ((await tx.$count(productToken, inArray(productToken.userId, removable))) > 0) {
    const newOwner = await ensureSyncUser({ ...context, store: { ...context.store, db: tx } });
    await tx.update(productToken).set({ userId: newOwner.id }).where(inArray(productToken.userId, removable));
  }
  return { removable, kept };
}

/** Lists files of demo products and motifs that nothing references any more. */
async function filesOf(tx: Transaction, demo: DemoContent): Promise<string[]> {
  const fields = Object.values(demo.products).flatMap((records) =>
    Object.values(records).flatMap(Object.values<unknown>),
  );
  const paths = [...fields, ...demo.media.map(({ key }) => motifPath(key))].filter(
    (value): value is string => typeof value === 'string' && /^media\/\S+\.\w+$/.test(value),
  );
  const records = await tx
    .select({ text: sql<string>`${product.record}::text` })
    .from(product)
    .where(sql`${product.record}::text like '%media/%'`);
  const texts = await tx.select({ text: content.content }).from(content).where(like(content.content, '%/media/%'));
  const chapters = await tx.select({ text: sql<string>`${podcastEpisode.chapters}::text` }).from(podcastEpisode);
  return [...new Set(paths.flatMap(withEarlierNames))]
    .filter((path) => ![...records, ...texts, ...chapters].some(({ text }) => text.includes(path)))
    .map((path) => path.slice('media/'.length));
}

/** Pictures of products were PNG, banners JPEG in earlier versions. */
const withEarlierNames = (path: string): string[] =>
  path.endsWith('.webp') ? ['.webp', '.png', '.jpg'].map((extension) => path.replace('.webp', extension)) : [path];

const toRow = ({ what, id, name, why }: RetainedRow): Record<string, unknown> => ({ what, id, name, why });

function formatRemoval(
  { products, content: rows, terms, users }: Removal['removed'],
  kept: readonly RetainedRow[],
): string {
  const counts = [
    formatCount(products, 'record') + ' of products',
    `${rows} posts, pages, episodes and media`,
    `${terms} categories and tags`,
    formatCount(users, 'account'),
  ];
  const retained =
    kept.length === 0 ? '' : ` ${formatCount(kept.length, 'changed or used item')} stayed, listed above.`;
  return `The demo is removed: ${counts.join(', ')}.${retained}`;
}

interface PodcastRemoval {
  kept: RetainedRow[];
  /** Unused paths below the uploads folder. */
  files: string[];
}

/**
 * Removes the episodes of removed pages. Also removes the podcast and its shows if no episode is left and the podcast
 * is unchanged.
 */
async function removePodcast(
  tx: Transaction,
  demo: DemoPodcast,
  removedPages: readonly ContentRow[],
): Promise<PodcastRemoval> {
  const pages = removedPages.filter(({ type }) => type === EPISODE_PAGE_TYPE);
  for (const page of pages) await episodePages.remove?.(tx, page);
  const left = await tx.select({ slug: podcastEpisode.slug, poster: podcastEpisode.poster }).from(podcastEpisode);
  const [record] = await tx.select().from(option).where(eq(option.name, PODCAST_OPTION));
  const [main] = demo.shows;
  const { guid, title } = (record?.value ?? {}) as { guid?: string; title?: string | null };
  // Earlier versions of the demo had other guids.
  const isDemoPodcast = guid === main?.guid || title === main?.title;
  const isRemovable = isDemoPodcast && left.length === 0 && title === main?.title;
  if (isRemovable) await removeRecord(tx, demo);
  const isUsed = (path: string) =>
    (!isRemovable && demo.shows.some(({ language }) => showCover(language) === path)) ||
    left.some(({ slug, poster }) => poster?.endsWith(podcastUpload(path)) || (slug && path.includes(`/${slug}.`)));
  return {
    kept:
      isDemoPodcast && !isRemovable
        ? [
            {
              what: 'podcast',
              id: guid ?? '',
              name: title ?? '',
              why: left.length > 0 ? 'it has episodes' : 'it was changed',
            },
          ]
        : [],
    files: podcastFiles(demo)
      .filter((path) => !isUsed(path))
      .map(podcastUpload),
  };
}

/** Resets the podcast to an unused one. */
async function removeRecord(tx: Transaction, { shows }: DemoPodcast): Promise<void> {
  await tx.delete(option).where(eq(option.name, PODCAST_OPTION));
  await tx
    .delete(option)
    .where(sql`${option.name} = ${PLAYER_OPTION} and ${option.value} = ${JSON.stringify(DEMO_PLAYER)}::jsonb`);
  await tx.delete(podcastFeed);
  await tx.delete(podcastAsset);
  const isDemo = or(
    inArray(
      podcastShow.guid,
      shows.map(({ guid }) => guid),
    ),
    inArray(
      podcastShow.title,
      shows.map(({ title }) => title),
    ),
  );
  await tx.delete(podcastShow).where(isDemo);
}
