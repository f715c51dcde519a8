import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startOrigin, type RunningOrigin } from '#origin/server/index.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { startTestReceiver, type TestReceiver } from './hooks/testing/test-receiver.ts';
import { createAudio } from './testing/test-podcast.ts';
import { startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const PASSWORD = '0123456789abcdef01234567';
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

let origin: RunningOrigin;
let catalogue: TestUpstream;
let receiver: TestReceiver;

beforeAll(async () => {
  const folder = temporaryFolder();
  const bootstrap = path.join(folder, 'bootstrap.json');
  const editor = { login: 'ed', email: 'ed@test.example', name: 'Ed', role: 'administrator' };
  const site = { name: 'Wall Notes', description: '', timezone: 'Europe/Berlin' };
  writeFileSync(bootstrap, JSON.stringify({ site, users: [{ ...editor, applicationPassword: PASSWORD }] }));
  origin = await startOrigin({ dataFolder: path.join(folder, 'origin'), bootstrap, log: () => undefined });
  catalogue = await startTestUpstream({ assortment: () => [], hooks: [{ name: 'site' }] });
  catalogue.upstreams = { publishing: { siteUrl: origin.url, restRoot: 'detect', namespaces: {} } };
  receiver = await startTestReceiver();
});
afterAll(async () => {
  await receiver.close();
  await catalogue.close();
  await origin.close();
});

async function call(method: string, route: string, body?: unknown): Promise<Record<string, unknown>> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${origin.url}/rest/${route}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`ed:${PASSWORD}`).toString('base64')}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

async function upload(page: number, name: string, bytes: Buffer, type: string): Promise<unknown> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
  form.set('post', String(page));
  return (await call('POST', 'core/v2/media', form))['id'];
}

/** Report of a sync, with the number of sent messages. */
async function sync() {
  const before = receiver.received.length;
  const environment = { SORTIMENT_HOOK_URL: `${receiver.origin}/hook`, SORTIMENT_HOOK_SECRET: SECRET };
  const report = await catalogue.sync({ environment });
  const ofEpisodes = report.changes.filter(({ kind }) => kind === 'episode');
  return {
    report,
    messages: receiver.received.length - before,
    episodes: ofEpisodes.map(({ change, name, fields }) => ({
      change,
      name,
      fields: fields.map(({ field }) => field),
    })),
  };
}

const stored = () => catalogue.read((snapshot) => [...snapshot.records('episode')]);

it('each step of an editor’s day is one change of the episode, told once', async () => {
  await call('PUT', 'podcast/v2/podcast', { title: 'Wall Notes', language: 'de-DE', author_name: 'Acme' });
  await sync();
  const { id } = await call('POST', 'podcast/v2/episodes', {});
  const episode = `podcast/v2/episodes/${String(id)}`;
  const page = Number((await call('GET', episode))['post_id']);
  await call('PUT', episode, { title: 'Foils', summary: 'Short', slug: 'wn001', number: 1, skip_validation: true });
  const file = await upload(page, 'wn001.mp3', createAudio(70_000, 1), 'audio/mpeg');
  await call('PUT', `${episode}/media/1/enable`);
  await call('PUT', `podcast/v2/chapters/${String(id)}`, {
    chapters: [
      { start: '0', title: 'Intro' },
      { start: '0:30', title: 'Foil' },
    ],
  });
  // Drafts and scheduled posts are not public yet.
  expect((await sync()).episodes).toEqual([]);
  await call('PUT', `core/v2/episodes/${page}`, { status: 'future', date: '2030-01-01T10:00:00' });
  expect(await sync()).toMatchObject({ episodes: [], messages: 0 });

  await call('PUT', `core/v2/episodes/${page}`, { status: 'publish', date: '2026-11-02T10:00:00' });
  expect(await sync()).toMatchObject({ episodes: [{ change: 'added', name: 'Foils' }], messages: 1 });
  const [{ audio = [], chapters = [] } = {}] = stored();
  expect(chapters.map(({ title }) => title)).toEqual(['Intro', 'Foil']);
  expect(audio).toMatchObject([{ bytes: 70_000, mimeType: 'audio/mpeg' }]);
  const asset = () => catalogue.read((snapshot) => snapshot.asset(audio[0]?.url ?? '', 'audio'));
  expect(asset()).toMatchObject({ bytes: 70_000, reachable: true });
  expect(await sync()).toMatchObject({ report: { changed: false }, messages: 0 });

  await call('PUT', `podcast/v2/chapters/${String(id)}`, {
    chapters: [
      { start: '0', title: 'Intro' },
      { start: '0:30', title: 'Tape' },
    ],
  });
  expect(await sync()).toMatchObject({
    episodes: [{ change: 'changed', fields: expect.arrayContaining(['chapters[1].title']) }],
    messages: 1,
  });
  await call('PUT', episode, { title: 'Foils and tapes' });
  expect(await sync()).toMatchObject({ episodes: [{ change: 'changed', name: 'Foils and tapes' }], messages: 1 });

  const before = asset()?.digest;
  await call('DELETE', `core/v2/media/${String(file)}?force=true`);
  await upload(page, 'wn001.mp3', createAudio(80_000, 2), 'audio/mpeg');
  await call('PUT', `${episode}/media/1/verify`);
  expect(await sync()).toMatchObject({ episodes: [{ change: 'changed' }], messages: 1 });
  expect(asset()).toMatchObject({ bytes: 80_000 });
  expect(asset()?.digest).not.toBe(before);

  await call('DELETE', episode);
  expect(await sync()).toMatchObject({ episodes: [{ change: 'removed' }], messages: 1 });
  await call('PUT', `core/v2/episodes/${page}`, { status: 'publish' });
  expect(await sync()).toMatchObject({ episodes: [{ change: 'added', name: 'Foils and tapes' }], messages: 1 });
});
