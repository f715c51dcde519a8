import { afterAll, beforeAll, expect, it } from 'vitest';
import { DRAFT_KINDS } from '#contracts/synced/draft-kinds.ts';
import { EPISODE, POST } from '#contracts/synced/index.ts';
import { publishDuePosts } from '#origin/namespaces/core/schedule/start-schedule.ts';
import { openPodcastSite, type PodcastSite } from '#origin/namespaces/podcast/testing/podcast-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import { testPassword } from '#origin/testing/open-test-site.ts';
import { ASSET_KINDS } from './assets/asset-kinds.ts';
import { startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

const DUE = '2099-03-04T08:00:00';
const EARLIER = '2026-01-02 08:00:00';

let site: PodcastSite;
let catalogue: TestUpstream;

beforeAll(async () => {
  site = await openPodcastSite();
  catalogue = await startTestUpstream({ assortment: () => [] });
  const account = { user: 'administrator', password: testPassword('administrator') };
  catalogue.upstreams = {
    publishing: { siteUrl: site.context.publicUrl, restRoot: 'detect', namespaces: {}, account },
  };
});
afterAll(async () => {
  await catalogue.close();
  await site.close();
});

async function readDrafts() {
  const { changed } = await catalogue.sync({ kinds: { content: DRAFT_KINDS, assets: ASSET_KINDS } });
  const statuses = catalogue.read((snapshot) =>
    [POST, EPISODE].map((kind) => [...snapshot.records(kind)].map(({ draft }) => draft?.status)),
  );
  return { changed, statuses };
}

it('removes the mark of scheduled content that comes due', async () => {
  const post = { title: 'Later', content: '<p>Text</p>', status: 'future', date_gmt: DUE };
  await site.send('POST', 'core/v2/posts', post, 'administrator');
  await site.addEpisode('later', { page: { status: 'publish', date: DUE } });
  // Reads overlap, so recent changes are read again anyway.
  await site.context.store.db.update(content).set({ modified: EARLIER, modifiedGmt: EARLIER });
  expect(await readDrafts()).toEqual({ changed: true, statuses: [['future'], ['future']] });
  expect(await readDrafts()).toMatchObject({ changed: false });
  await publishDuePosts(site.context, new Date('2099-03-05'));
  expect(await readDrafts()).toEqual({ changed: true, statuses: [[undefined], [undefined]] });
  expect(await readDrafts()).toMatchObject({ changed: false });
});
