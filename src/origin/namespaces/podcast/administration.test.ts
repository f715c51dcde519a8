import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { option } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { podcastAsset, podcastEpisode } from './tables.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function send(method: string, path: string, body?: object, as: Role | 'nobody' = 'administrator') {
  const { status, body: answer } = await site.fetch(`/podcast/v2/${path}`, {
    method,
    ...(as === 'nobody' ? {} : { as }),
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status, body: answer };
}
const read = async (path: string) => (await send('GET', path)).body;

test('onboarding is recorded step by step', async () => {
  expect(await read('admin/onboarding')).toEqual({ banner_hide: false, type: null });
  await send('PUT', 'admin/onboarding', { type: 'start' });
  await send('PATCH', 'admin/onboarding', { banner_hide: true });
  expect(await read('admin/onboarding')).toEqual({ banner_hide: true, type: 'start' });
  await send('POST', 'admin/onboarding', { banner_hide: 'false', type: 'reset' });
  expect(await read('admin/onboarding')).toEqual({ banner_hide: false, type: null });
  expect((await send('PUT', 'onboarding/setup', { transcript: true })).body).toEqual({ status: 'ok' });
  expect((await send('DELETE', 'tools/clear-caches')).body).toEqual({ status: 'ok' });
});

test('what two requests change at once is kept, though nothing was before', async () => {
  for (let round = 0; round < 20; round += 1) {
    await site.context.store.db.delete(option).where(eq(option.name, 'podcast-administration'));
    await Promise.all([
      send('PUT', 'admin/onboarding', { banner_hide: true }),
      send('PUT', 'admin/plus/set_feature', { feature: 'fileStorage', value: true }),
    ]);
    expect(await read('admin/onboarding')).toMatchObject({ banner_hide: true });
    expect(await read('admin/plus/features')).toMatchObject({ file_storage: true });
  }
  await site.context.store.db.delete(option).where(eq(option.name, 'podcast-administration'));
});

describe('the host, of which none is connected', () => {
  test('has services that can be chosen, and others are named', async () => {
    expect(await read('admin/plus/features')).toEqual({ file_storage: null, feed_proxy: null });
    expect(await send('PUT', 'admin/plus/set_feature', { feature: 'fileStorage', value: true })).toEqual({
      status: 200,
      body: null,
    });
    expect(await read('admin/plus/features')).toEqual({ file_storage: true, feed_proxy: null });
    const unknown = await send('PUT', 'admin/plus/set_feature', { feature: 'moon', value: true });
    expect(unknown).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('fileStorage or feedProxy') },
    });
    expect(await read('plus/get_migration_status')).toEqual({ is_complete: false });
    await send('POST', 'plus/set_migration_complete');
    expect(await read('plus/get_migration_status')).toEqual({ is_complete: true });
  });

  test('keeps a token, sealed, and knows nobody by it', async () => {
    expect((await send('POST', 'admin/plus/save_token', { token: 'tok-123' })).body).toEqual({ success: true });
    expect(await read('admin/plus/token')).toEqual({ token: 'tok-123' });
    expect(JSON.stringify(await site.context.store.db.select().from(option))).not.toContain('tok-123');
    expect(await read('admin/plus/validate_token')).toEqual({ user: null });
    expect(await read('admin/plus/episodes_for_migration')).toEqual({ episodes: [] });
    await send('POST', 'admin/plus/save_token', { token: '' });
    expect(await read('admin/plus/token')).toEqual({ token: '' });
  });

  test('takes no files: without a token it says so, with one nothing happens', async () => {
    const episode_id = await addEpisode('wn001');
    const file = { filename: 'wn001.mp3', episode_id };
    const routes = ['create_file_upload', 'check_file_exists', 'complete_file_upload', 'migrate_file'];
    for (const route of routes)
      expect(await send('POST', `plus/${route}`, file)).toMatchObject({
        status: 400,
        body: { code: 'podcast_plus_token_missing' },
      });
    await send('POST', 'admin/plus/save_token', { token: 'tok-123' });
    for (const route of routes) expect((await send('POST', `plus/${route}`, file)).body).toBe(false);
    const other = { ...file, episode_id: episode_id + 1 };
    expect((await send('POST', 'plus/check_file_exists', other)).body).toMatchObject({ code: 'rest_not_found' });
    expect((await send('POST', 'plus/check_file_exists', file, 'contributor')).status).toBe(403);
  });
});

test('a file gets the name of the asset that it is meant for', async () => {
  await site.context.store.db.insert(podcastAsset).values([
    { title: 'MP3', identifier: 'mp3', fileType: 'mp3' },
    { title: 'Small MP3', identifier: 'small', fileType: 'mp3', suffix: '-small', position: 1 },
    { title: 'Transcript', identifier: 'vtt', fileType: 'vtt', position: 2 },
  ]);
  expect(await named('Final mix 3.mp3', 'wn002')).toMatchObject({ generated_filename: 'wn002.mp3' });
  expect(await named('mix-small.mp3', 'wn003')).toMatchObject({ generated_filename: 'wn003-small.mp3' });
  expect(await named('words.vtt', 'wn004')).toMatchObject({ generated_filename: 'wn004.vtt' });
  expect(await named('notes.odt', 'wn005')).toMatchObject({ generated_filename: 'wn005.odt' });
});

test.each([
  ['DELETE', 'tools/clear-caches'],
  ['GET', 'admin/onboarding'],
  ['PUT', 'onboarding/setup'],
  ['GET', 'admin/plus/token'],
  ['POST', 'admin/plus/save_token'],
  ['POST', 'plus/set_migration_complete'],
  ['POST', 'plus/migrate_file'],
])('%s %s is for users who manage the site', async (method, path) => {
  expect((await send(method, path, undefined, 'nobody')).status).toBe(401);
  expect(await send(method, path, undefined, 'editor')).toMatchObject({
    status: 403,
    body: { code: 'rest_forbidden' },
  });
});

/** The name that a file would get of an episode with a slug. */
async function named(original_filename: string, slug: string): Promise<unknown> {
  const episode_id = await addEpisode(slug);
  return (await send('POST', 'plus/generate_filename', { original_filename, episode_id })).body;
}

async function addEpisode(slug: string): Promise<number> {
  const contentId = await site.addContent({ type: 'podcast', title: slug });
  const [added] = await site.context.store.db
    .insert(podcastEpisode)
    .values({ contentId, guid: slug, slug })
    .returning({ id: podcastEpisode.id });
  return added?.id ?? 0;
}
