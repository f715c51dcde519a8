import { and, desc, eq } from 'drizzle-orm';
import { writePostFeed } from '#contracts/podcast/index.ts';
import { getContentUrl } from '#origin/platform/content/content-url.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { loadSite, replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { FeedContext } from './find-feed.ts';

/** Maximum posts in the feed of the site. */
const MAX_POSTS = 10;

/** Composes the feed of the site's newest posts, without password-protected ones. */
export async function composePostFeed(request: FeedContext): Promise<{ text: string; updated: Date }> {
  const { context, addresses } = request;
  const site = await loadSite(request);
  const rows = await context.store.db
    .select()
    .from(content)
    .where(and(eq(content.type, 'post'), eq(content.status, 'publish'), eq(content.password, '')))
    .orderBy(desc(content.date), desc(content.id))
    .limit(MAX_POSTS);
  const withCurrentUrl = (text: string) => replaceSiteUrl(text, site.url, addresses.site);
  const posts = await Promise.all(
    rows.map(async (row) => {
      const link = getContentUrl(row, { site: addresses.site, kinds: context.kinds }, new Map());
      const [notes, excerpt] = [
        await runTextJob('content', withCurrentUrl(row.content)),
        await runTextJob('excerpt', withCurrentUrl(row.excerpt), withCurrentUrl(row.content)),
      ];
      const guid = row.guid || link;
      return {
        title: plainText(row.title),
        link,
        guid,
        published: parseUtc(row.dateGmt ?? row.date),
        summary: plainText(excerpt),
        notes,
      };
    }),
  );
  const changes = rows.map(({ modifiedGmt }) => parseUtc(modifiedGmt).getTime());
  const updated = new Date(Math.max(0, ...changes));
  const channel = {
    title: plainText(site.name),
    link: addresses.site,
    description: plainText(site.description),
    self: `${addresses.site}/feed/`,
    updated,
  };
  return { text: writePostFeed(channel, posts), updated };
}

function parseUtc(text: string): Date {
  return new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`);
}
