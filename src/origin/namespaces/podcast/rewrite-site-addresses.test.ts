import { expect, test } from 'vitest';
import { applyModuleMigrations } from '#origin/platform/store/apply-migrations.ts';
import { option } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS } from '#origin/testing/open-test-site.ts';
import { createTestContext } from '#origin/testing/test-context.ts';
import { rewriteSiteAddresses, loadPodcastRecord } from './podcast-record.ts';
import { podcast } from './podcast-module.ts';
import { podcastEpisode, podcastShow } from './tables.ts';

const FIRST = 'http://first.test';

test(
  'rewrites addresses of the site whenever it moves, and keeps other addresses',
  async () => {
    const context = await createTestContext({ publicUrl: FIRST });
    const { db } = context.store;
    await applyModuleMigrations(context.store, [podcast]);
    await db.insert(option).values([
      { name: 'site', value: { name: 'Walls', url: FIRST } },
      { name: 'podcast', value: { guid: '1', cover_image: `${FIRST}/uploads/cover.jpg` } },
    ]);
    await db.insert(podcastShow).values({ slug: 'a', guid: '2', title: 'A', image: `${FIRST}/uploads/a.jpg` });
    const elsewhere = { startMs: 1, title: 'B', href: `${FIRST}.example/` };
    await db.insert(podcastEpisode).values({
      contentId: 1,
      guid: '3',
      poster: `${FIRST}/uploads/b.jpg`,
      chapters: [{ startMs: 0, title: 'A', href: `${FIRST}/01/1`, image: `${FIRST}/media/a.png` }, elsewhere],
    });
    for (const address of [FIRST, 'https://second.test', `${FIRST}/blog`, `${FIRST}/blog`, FIRST]) {
      await rewriteSiteAddresses({ ...context, publicUrl: address });
      const [show] = await db.select().from(podcastShow);
      const [episode] = await db.select().from(podcastEpisode);
      expect([(await loadPodcastRecord({ context })).cover_image, show?.image, episode?.poster], address).toEqual([
        `${address}/uploads/cover.jpg`,
        `${address}/uploads/a.jpg`,
        `${address}/uploads/b.jpg`,
      ]);
      expect(episode?.chapters).toEqual([
        { startMs: 0, title: 'A', href: `${address}/01/1`, image: `${address}/media/a.png` },
        elsewhere,
      ]);
    }
    await context.store.close();
  },
  OPEN_TIMEOUT_MS,
);
