import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { makeFrames } from '#origin/platform/audio/testing/make-audio.ts';
import { testPassword } from '#origin/testing/open-test-site.ts';
import { podcastDownload, podcastSalt } from '../tables.ts';
import { OPEN_TIMEOUT_MS, openPodcastSite, type Body, type PodcastSite } from '../testing/podcast-site.ts';

const PLAYER = 'AppleCoreMedia/1.0.0.21G93 (iPhone; U; CPU OS 17_6_1 like Mac OS X; de_de)';

let site: PodcastSite;
let episode: { id: number; page: number };
/** Path of its enclosure. */
let file: string;

beforeAll(async () => {
  site = await openPodcastSite({ trustedProxies: 1 });
  episode = await site.addEpisode('walls', {
    audio: makeFrames(50),
    fields: { title: '=1+1, "walls"' },
    page: { status: 'publish', date: '2026-02-01T08:00:00' },
  });
  file = await audioPath(episode.id);
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function audioPath(id: number): Promise<string> {
  const { audio } = (await site.send('GET', `podcast/v2/episodes/${id}`, undefined, 'editor')).body;
  const [{ url }] = audio as [{ url: string }];
  return new URL(url).pathname;
}

/** Requests the file from an IP address. @returns how many downloads that added */
async function fetchFile(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> {
  const before = await countDownloads();
  const given = { 'user-agent': PLAYER, 'x-forwarded-for': address, ...headers };
  const { status } = await site.visit(file, given, method);
  expect(status).toBe(301);
  return (await countDownloads()) - before;
}

const countDownloads = async () => (await site.context.store.db.select().from(podcastDownload)).length;
const analytics = (path = '', as?: Role, version = 'v2') =>
  site.send('GET', `podcast/${version}/analytics/episodes${path}`, undefined, as);
function readTable(path: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`author:${testPassword('author')}`).toString('base64')}`;
  return fetch(`${site.context.publicUrl}/${site.context.restRoot}/podcast/${path}`, { headers: { authorization } });
}

/** Hours and days end at any time. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('an address that counts', () => {
  test('redirects to the file and adds the source to its address', async () => {
    const answer = await site.visit(file, { 'user-agent': PLAYER, 'x-forwarded-for': '192.0.2.99' });
    const location = new URL(answer.headers.get('location') ?? '');
    expect([answer.status, location.pathname]).toEqual([301, '/uploads/podcast/walls.mp3']);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      ptm_source: 'webplayer',
      ptm_context: 'website',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('counts a listener once in an hour, however often and in whatever parts the file is fetched', async () => {
    stopClock();
    expect(await fetchFile('192.0.2.1')).toBe(1);
    expect(await fetchFile('192.0.2.1')).toBe(0);
    expect(await fetchFile('192.0.2.1', { range: 'bytes=0-' })).toBe(0);
    expect(await fetchFile('192.0.2.1', { 'user-agent': 'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)' })).toBe(
      1,
    );
    expect(await fetchFile('192.0.2.2')).toBe(1);
  });

  test.each<[what: string, headers: Record<string, string>, method?: string]>([
    ['robots', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['programs', { 'user-agent': 'curl/8.5.0' }],
    ['who says nothing', { 'user-agent': '' }],
    ['the first two bytes', { range: 'bytes=0-1' }],
    ['parts from the middle', { range: 'bytes=5000-' }],
    ['several parts', { range: 'bytes=0-9,20-29' }],
    ['heads', {}, 'HEAD'],
  ])('does not count %s', async (_, headers, method) => {
    expect(await fetchFile('192.0.2.3', headers, method)).toBe(0);
  });

  test('counts a phone whose name ends like that of a bot', async () => {
    const agent = 'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36';
    expect(await fetchFile('192.0.2.4', { 'user-agent': agent })).toBe(1);
  });

  test('stores nothing about the listener', async () => {
    const stored = JSON.stringify(await site.context.store.db.select().from(podcastDownload));
    for (const secret of ['192.0.2', 'AppleCoreMedia', 'iPhone', 'Overcast']) expect(stored).not.toContain(secret);
    expect(await site.context.store.db.select().from(podcastSalt)).toHaveLength(1);
  });

  test('deletes the salts of other days: no listener is recognised the day after', async () => {
    stopClock();
    const { db } = site.context.store;
    await db.delete(podcastSalt);
    await db.insert(podcastSalt).values({ day: '2020-01-01', salt: 'old' });
    expect(await fetchFile('192.0.2.1')).toBe(1);
    const today = new Date().toISOString().slice(0, 10);
    expect((await db.select().from(podcastSalt)).map(({ day }) => day)).toEqual([today]);
  });

  test('answers 404 for what is not published, not enabled or missing', async () => {
    const draft = await site.addEpisode('draft', { audio: makeFrames(50), page: { status: 'draft' } });
    const path = await audioPath(draft.id);
    const missing = [path, '/podcast/file/999/s/feed/x.mp3', '/podcast/file/1/s/other/x.mp3'];
    for (const address of missing) expect([address, (await site.visit(address)).status]).toEqual([address, 404]);
  });
});

describe('downloads', () => {
  test('are available to authors and above, for pages of published episodes', async () => {
    const statuses = [undefined, 'subscriber', 'contributor', 'author', 'editor'] as const;
    const answered = await Promise.all(statuses.map(async (as) => (await analytics('', as)).status));
    expect(answered).toEqual([401, 403, 403, 200, 200]);
    const one = (await analytics(`/${episode.page}`, 'author')).body;
    expect(one).toMatchObject({ id: episode.id, post_id: episode.page, downloads: await countDownloads() });
    expect((await analytics('/999', 'author')).body.code).toBe('rest_not_found');
    expect((await analytics(`/999,${episode.page}`, 'author', 'v1')).body).toMatchObject([{ id: episode.id }]);
  });

  test('are counted by the time since the release, in each span once it has passed', async () => {
    const { db } = site.context.store;
    const hour = 3_600_000;
    const now = Math.floor(Date.now() / hour) * hour;
    const date = new Date(now - 60 * hour).toISOString().slice(0, 19);
    const late = await site.addEpisode('late', { audio: makeFrames(50), page: { status: 'publish', date_gmt: date } });
    const at = (hours: number, listener: string) => ({
      fileId: 1,
      episodeId: late.id,
      at: new Date(now - 60 * hour + hours * hour),
      listener,
    });
    await db.insert(podcastDownload).values([at(0, 'a'), at(23, 'b'), at(24, 'c'), at(47, 'd'), at(50, 'e')]);
    const body = (await analytics(`/${late.page}`, 'author')).body as Body & Record<string, unknown>;
    expect(body).toMatchObject({ downloads: 5, '1d': 2, '2d': 4, '3d': '', '1w': '', days_since_release: 2 });
    // An episode without downloads.
    const quiet = await site.addEpisode('quiet', { page: { status: 'publish', date: '2026-01-01T08:00:00' } });
    expect((await analytics(`/${quiet.page}`, 'author')).body).toMatchObject({ downloads: '', '1d': '' });
  });

  test('are a table for spreadsheets, in which no title is a formula', async () => {
    const answer = await readTable(`v2/analytics/episodes/${episode.page}?format=csv`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=UTF-8');
    const [head, row, ...rest] = (await answer.text()).split('\r\n');
    expect(head).toMatch(/^title,id,post_id,post_date,.*,2d,1d$/);
    expect(row).toMatch(/^"'=1\+1, ""walls""",\d+,\d+,2026-02-01 08:00:00,2026-02-01 07:00:00,/);
    expect(rest).toEqual(['']);
    const none = await readTable('v1/analytics/episodes/998,999?format=csv');
    expect((await none.text()).trim()).toBe(head);
  });
});
