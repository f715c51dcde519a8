import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { publishDuePosts } from '#origin/namespaces/core/schedule/start-schedule.ts';
import { content, outbox } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { updatePodcastRecord } from './podcast-record.ts';
import { podcastEpisode } from './tables.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

type Body = Record<string, unknown> & { id: number; post_id: number; code: string };

async function send(method: string, path: string, body?: unknown, as?: Role) {
  const answer = await site.fetch(`/${path}`, {
    method,
    ...(as && { as }),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: answer.body as Body, headers: answer.headers };
}

const read = async (path: string, as?: Role) => (await send('GET', path, undefined, as)).body;

/** A new episode with the id of its page. */
async function addEpisode(fields: object = {}, as: Role = 'editor') {
  const { id } = (await send('POST', 'podcast/v2/episodes', {}, as)).body;
  if (Object.keys(fields).length > 0)
    expect(await send('PUT', `podcast/v2/episodes/${id}`, fields, as)).toMatchObject({ status: 200 });
  return { id, page: (await read(`podcast/v2/episodes/${id}`, 'editor')).post_id };
}

async function publish(page: number, fields: object = {}) {
  const written = await send('POST', `core/v2/episodes/${page}`, { status: 'publish', ...fields }, 'editor');
  expect(written.status).toBe(200);
}

const listedIds = async (query = '', as?: Role) =>
  ((await read(`podcast/v2/episodes?${query}`, as))['results'] as { id: number }[]).map(({ id }) => id);

/** Statuses for a stranger and for four roles, the lowest first. */
const codes = async (method: string, path: string, body?: object) =>
  Promise.all(
    [undefined, 'subscriber', 'contributor', 'author', 'editor'].map(
      async (as) => (await send(method, path, body, as as Role | undefined)).status,
    ),
  );

const generateTitles = (isOn: boolean) =>
  updatePodcastRecord({ context: site.context }, { has_generated_titles: isOn });

const chapterFile = (format: string) => fetch(`${site.context.publicUrl}/chaptered/?chapters_format=${format}`);

/** How many events announced a change of a page. */
const changes = async (page: number) => {
  const told = (await site.context.store.db.select().from(outbox)).flatMap(({ payload }) => payload['changes']);
  return told.filter((change) => isDeepStrictEqual(change, { what: 'podcast', id: String(page), action: 'updated' }))
    .length;
};
const setBack = (page: number) =>
  site.context.store.db.update(content).set({ modifiedGmt: '2020-01-01 00:00:00' }).where(eq(content.id, page));
const isFresh = async (page: number) =>
  !String((await read(`core/v2/episodes/${page}`, 'editor'))['modified_gmt']).startsWith('2020');

test('an editor writes an episode, publishes, trashes, restores and deletes it', async () => {
  const created = await send('POST', 'podcast/v2/episodes', undefined, 'editor');
  const { id } = created.body;
  expect(created).toMatchObject({ status: 201, body: { location: `podcast/v2/episodes/${id}` } });
  expect(created.headers.get('location')).toBe(`podcast/v2/episodes/${id}`);

  const path = `podcast/v2/episodes/${id}`;
  const texts = {
    title: 'Damp in “old” walls',
    subtitle: ' Why ',
    summary: 'One\nTwo',
    season: 2,
    duration: '1:02:03',
  };
  const facts = { type: 'bonus', explicit: true, recording_date: '2026-01-05', license_name: 'CC0', slug: 'damp' };
  expect(await send('PATCH', path, { ...texts, ...facts }, 'editor')).toMatchObject({ body: { status: 'ok' } });
  const draft = await read(path, 'editor');
  const page = draft.post_id;
  expect(draft).toMatchObject({
    title_clean: 'Damp in “old” walls',
    subtitle: 'Why',
    summary: 'One\nTwo',
    season: 2,
    duration: '01:02:03.000',
    type: 'bonus',
    explicit: true,
    recording_date: '2026-01-05 00:00:00',
    license_name: 'CC0',
    slug: 'damp',
  });
  expect(await read(`core/v2/episodes/${page}`, 'editor')).toMatchObject({ title: { rendered: texts.title } });

  const notes = { content: '<p>Show notes.</p>', date: '2031-01-01T08:00:00', status: 'publish' };
  expect((await send('POST', `core/v2/episodes/${page}`, notes, 'editor')).body).toMatchObject({ status: 'future' });
  expect((await send('GET', path)).status).toBe(404);
  await publishDuePosts(site.context, new Date('2031-01-01T08:00:00Z'));
  expect(await read(path)).toMatchObject({ publicationDate: '2031-01-01T08:00:00+01:00' });
  const v1 = await read(`podcast/v1/episodes/${id}`);
  expect(v1).toMatchObject({ slug: 'damp-in-old-walls', content: expect.stringContaining('Show notes.') as string });
  expect(v1['link']).toBe(`${site.context.publicUrl}/damp-in-old-walls/`);
  expect(await listedIds()).toContain(id);

  for (let twice = 0; twice < 2; twice += 1)
    expect((await send('DELETE', path, undefined, 'editor')).body).toEqual({ status: 'ok' });
  expect((await send('GET', path)).status).toBe(404);
  expect(await listedIds('status=all', 'editor')).not.toContain(id);
  expect((await send('PUT', path, { subtitle: 'Still here' }, 'editor')).status).toBe(200);
  await publish(page, { date: '2026-02-01T08:00:00' });
  expect(await read(path)).toMatchObject({ subtitle: 'Still here', title_clean: texts.title });

  expect((await send('DELETE', `core/v2/episodes/${page}?force=true`, undefined, 'editor')).status).toBe(200);
  expect((await send('GET', path, undefined, 'editor')).status).toBe(404);
  const left = await site.context.store.db.select().from(podcastEpisode).where(eq(podcastEpisode.contentId, page));
  expect(left).toEqual([]);
});

test('a page that is created by `core/v2/episodes` gets an episode, and keeps its revisions', async () => {
  const { body: page } = await send('POST', 'core/v2/episodes', { title: 'By page', status: 'publish' }, 'editor');
  const [row] = (await read('podcast/v2/episodes'))['results'] as { id: number; title: string }[];
  expect(row?.title).toBe('By page');
  const { guid } = await read(`podcast/v2/episodes/${row?.id}`);
  expect(guid).toMatch(/^[\da-f]{8}-/);
  await send('POST', `core/v2/episodes/${page.id}`, { content: 'More' }, 'editor');
  expect(await read(`podcast/v2/episodes/${row?.id}`)).toMatchObject({ guid });
  await send('PUT', `podcast/v2/episodes/${row?.id}`, { title: 'Renamed' }, 'editor');
  const revisions = (await read(`core/v2/episodes/${page.id}/revisions`, 'editor')) as unknown as object[];
  expect(revisions[0]).toMatchObject({ title: { rendered: 'Renamed' } });
});

describe('who may', () => {
  test('read: everyone reads published episodes; anonymous callers get 404 for others', async () => {
    const { id, page } = await addEpisode({ title: 'Seen' });
    for (const path of [`v1/episodes/${id}`, `v2/episodes/${id}`, `v2/chapters/${id}`, `v2/episodes/${id}/tags`])
      expect(await codes('GET', `podcast/${path}`), path).toEqual([404, 403, 403, 403, 200]);
    await publish(page, { password: 'sesame' });
    expect(await codes('GET', `podcast/v2/episodes/${id}?password=sesame`)).toEqual([404, 403, 403, 403, 200]);
    expect([await listedIds(), await listedIds('', 'editor')].map((ids) => ids.includes(id))).toEqual([false, true]);
    await publish(page, { password: '' });
    expect(await codes('GET', `podcast/v2/episodes/${id}`)).toEqual([200, 200, 200, 200, 200]);
    expect(await codes('GET', 'podcast/v2/episodes?status=draft')).toEqual([401, 403, 200, 200, 200]);
    expect(await codes('GET', 'podcast/v2/episodes/999999')).toEqual([404, 404, 404, 404, 404]);
  });

  test('write: invalid input is refused first, then what is missing, then what is not allowed', async () => {
    const { id } = await addEpisode({ title: 'Mine' }, 'author');
    const path = `podcast/v2/episodes/${id}`;
    expect(await codes('PUT', path, { number: 'x' })).toEqual([400, 400, 400, 400, 400]);
    expect(await codes('PUT', 'podcast/v2/episodes/999999', { number: 1 })).toEqual([404, 404, 404, 404, 404]);
    const writes = [
      ['PUT', path, { subtitle: 'Yes' }],
      ['POST', `podcast/v1/episodes/${id}`, { soundbite_title: 'Yes' }],
      ['PUT', `podcast/v2/chapters/${id}`, { chapters: [] }],
      ['DELETE', `podcast/v2/chapters/${id}`],
      ['POST', `${path}/tags`, {}],
      ['DELETE', `${path}/tags`],
      ['PUT', `${path}/freeze_slug`],
      ['DELETE', path],
    ] as const;
    for (const [method, address, body] of writes)
      expect(await codes(method, address, body), `${method} ${address}`).toEqual([401, 403, 403, 200, 200]);
    expect(await codes('POST', 'podcast/v2/episodes', {})).toEqual([401, 403, 201, 201, 201]);
    expect(await codes('PUT', 'podcast/v2/podcast', { title: 'No' })).toEqual([401, 403, 403, 403, 403]);
  });
});

test('several that are created at once get different numbers; those in the trash don’t count', async () => {
  const many = await Promise.all(Array.from({ length: 8 }, () => addEpisode()));
  const numbers = await Promise.all(
    many.map(async ({ id }) => Number((await read(`podcast/v2/episodes/${id}`, 'editor'))['number'])),
  );
  const sorted = numbers.toSorted((a, b) => a - b);
  expect(sorted).toEqual(Array.from({ length: 8 }, (_, i) => (sorted[0] ?? 0) + i));
  const last = many[numbers.indexOf(sorted[7] ?? 0)];
  await send('DELETE', `podcast/v2/episodes/${last?.id}`, undefined, 'editor');
  const { id } = await addEpisode();
  expect(await read(`podcast/v2/episodes/${id}`, 'editor')).toMatchObject({ number: sorted[7] });
});

test('a list is narrowed by guid and status, and put in order', async () => {
  const first = await addEpisode({ title: 'First', guid: 'Guid-1' });
  const second = await addEpisode({ title: 'Second', guid: 'Guid-2' });
  await publish(first.page, { date: '2020-02-01T00:00:00' });
  await publish(second.page, { date: '2020-01-01T00:00:00' });
  const ours = async (query: string, as?: Role) =>
    (await listedIds(query, as)).filter((id) => id === first.id || id === second.id);
  expect(await ours('')).toEqual([first.id, second.id]);
  expect(await ours('order_by=asc')).toEqual([second.id, first.id]);
  expect(await ours('sort_by=post_id')).toEqual([second.id, first.id]);
  expect(await ours('guid=Guid-2')).toEqual([second.id]);
  expect(await ours('guid=guid-2')).toEqual([]);
  await publish(second.page, { status: 'private' });
  expect([await ours('guid=Guid-2', 'editor'), await ours('guid=Guid-2&status=all', 'editor')]).toEqual([
    [],
    [second.id],
  ]);
  expect((await send('GET', 'podcast/v2/episodes?sort_by=title')).body.code).toBe('rest_invalid_param');
});

test('a slug is made of a title; a frozen one stays, whatever is sent', async () => {
  const { id } = await addEpisode({ title: 'Größe & Maß: Teil 2', slug: 'mass' });
  const path = `podcast/v2/episodes/${id}`;
  expect(await send('GET', `${path}/build_slug`, undefined, 'editor')).toMatchObject({
    status: 201,
    body: { slug: 'grose-mas-teil-2' },
  });
  expect(await read(`${path}/build_slug?title=A%20b`, 'editor')).toEqual({ slug: 'a-b' });
  for (let twice = 0; twice < 2; twice += 1)
    expect((await send('PUT', `${path}/freeze_slug`, {}, 'editor')).body).toEqual({ status: 'ok', slug_frozen: true });
  await send('PUT', path, { slug: 'other', subtitle: 'Taken' }, 'editor');
  expect(await read(path, 'editor')).toMatchObject({ slug: 'mass', subtitle: 'Taken' });
  await send('PATCH', `${path}/unfreeze_slug`, {}, 'editor');
  await send('PUT', path, { slug: 'other' }, 'editor');
  expect(await read(path, 'editor')).toMatchObject({ slug: 'other', slug_frozen: false });
  for (const slug of ['../up', 'a//b', 'a\\b', '/etc', 'x'.repeat(300)])
    expect((await send('PUT', path, { slug }, 'editor')).status, slug).toBe(400);
});

test('titles begin with the number where they are generated', async () => {
  const { id } = await addEpisode({ title: 'Moisture', number: 7 });
  await send('PUT', 'podcast/v2/podcast', { mnemonic: 'WN' }, 'administrator');
  expect(await read(`podcast/v2/episodes/${id}`, 'editor')).toMatchObject({ mnemonic: 'WN007', title: 'Moisture' });
  await generateTitles(true);
  expect(await read(`podcast/v2/episodes/${id}`, 'editor')).toMatchObject({ title: 'WN007 Moisture' });
  expect(await read(`podcast/v2/episodes/${id}/build_slug`, 'editor')).toEqual({ slug: 'wn007-moisture' });
  await generateTitles(false);
});

test('tags are those of the page; one can be taken off', async () => {
  const { id, page } = await addEpisode({ title: 'Tagged' });
  const [damp, mould, news] = [
    await site.addTerm({ name: 'Damp', taxonomy: 'post_tag' }),
    await site.addTerm({ name: 'Mould', taxonomy: 'post_tag' }),
    await site.addTerm({ name: 'News', taxonomy: 'category' }),
  ];
  const path = `podcast/v2/episodes/${id}/tags`;
  expect(await read(path, 'editor')).toEqual({ status: 'ok', tags: [] });
  await send('PUT', path, { term_id: [mould, news, 999_999] }, 'editor');
  await send('POST', path, { term_id: damp }, 'editor');
  expect(await read(path, 'editor')).toMatchObject({
    tags: [
      { term_id: damp, name: 'Damp' },
      { term_id: mould, name: 'Mould' },
    ],
  });
  await send('DELETE', `${path}?term_id=${damp}`, undefined, 'editor');
  expect(await read(`core/v2/episodes/${page}?_fields=tags`, 'editor')).toEqual({ tags: [mould] });
  await send('DELETE', path, undefined, 'editor');
  expect(await read(path, 'editor')).toEqual({ status: 'ok', tags: [] });
});

describe('chapters', () => {
  const chapters = [
    { start: '5:00', title: 'Late', href: '/01/04012345000016' },
    { start: '0', title: 'Early & <b>first</b>', image: 'https://example.org/a.png' },
  ];

  test('are answered in their order, and are files of the page in the order of their times', async () => {
    const { id, page } = await addEpisode({ title: 'Chaptered' });
    expect(await send('POST', `podcast/v2/chapters/${id}`, { chapters }, 'editor')).toMatchObject({ status: 201 });
    const { chapters: answered } = await read(`podcast/v2/chapters/${id}`, 'editor');
    expect(answered).toEqual([
      { start: '00:05:00.000', title: 'Late', href: '/01/04012345000016', image: '' },
      { start: '00:00:00.000', title: 'Early & <b>first</b>', href: '', image: 'https://example.org/a.png' },
    ]);
    expect((await read(`podcast/v1/episodes/${id}`, 'editor'))['chapters']).toEqual(answered);

    expect((await chapterFile('psc')).status).toBe(404);
    await publish(page);
    const types = { psc: 'application/xml', mp4chaps: 'text/plain', pijson: 'application/json' } as const;
    for (const [format, type] of Object.entries(types)) {
      const response = await chapterFile(format);
      expect(response.headers.get('content-type'), format).toContain(type);
      expect(await response.text(), format).toMatch(/Early.*Late/s);
    }
    expect(await (await chapterFile('json')).json()).toEqual(answered);
    expect((await chapterFile('midi')).status).toBe(404);
    await publish(page, { password: 'sesame' });
    expect((await chapterFile('psc')).status).toBe(404);
  });

  test.each<[what: string, sent: unknown]>([
    ['are missing', {}],
    ['are no list', { chapters: 'x' }],
    ['have no title', { chapters: [{ start: '0' }] }],
    ['begin at no time', { chapters: [{ start: '1:60', title: 'x' }] }],
    ['begin after ages', { chapters: [{ start: '99999:00:00', title: 'x' }] }],
    ['link to a script', { chapters: [{ start: '0', title: 'x', href: 'javascript:alert(1)' }] }],
    ['are 10,000', { chapters: Array.from({ length: 10_000 }, (_, i) => ({ start: String(i), title: `${i}` })) }],
  ])('that %s are refused, and those before stay', async (_what, sent) => {
    const { id } = await addEpisode({ title: 'Kept' });
    await send('PUT', `podcast/v2/chapters/${id}`, { chapters }, 'editor');
    const refused = await send('PUT', `podcast/v2/chapters/${id}`, sent, 'editor');
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('chapters');
    expect((await read(`podcast/v2/chapters/${id}`, 'editor'))['chapters']).toHaveLength(2);
  });
});

describe('a change of what is published', () => {
  test('is announced and dates the page; drafts and writes without a change are not announced', async () => {
    const { id, page } = await addEpisode({ title: 'Told' });
    expect(await changes(page)).toBe(0);
    await publish(page);
    const tag = await site.addTerm({ name: 'Told', taxonomy: 'post_tag' });
    const path = `podcast/v2/episodes/${id}`;
    const writes = [
      ['PUT', path, { subtitle: 'New' }],
      ['PUT', `podcast/v2/chapters/${id}`, { chapters: [{ title: 'One' }] }],
      ['DELETE', `podcast/v2/chapters/${id}`],
      ['POST', `${path}/tags`, { term_id: tag }],
      ['PUT', `${path}/freeze_slug`],
    ] as const;
    let told = await changes(page);
    for (const [method, address, body] of writes) {
      await setBack(page);
      await send(method, address, body, 'editor');
      expect([await isFresh(page), await changes(page)], `${method} ${address}`).toEqual([true, (told += 1)]);
      await setBack(page);
    }
    await send('PUT', path, {}, 'editor');
    await send('DELETE', `podcast/v2/chapters/${id}`, undefined, 'editor');
    await send('POST', `${path}/tags`, { term_id: tag }, 'editor');
    expect([await isFresh(page), await changes(page)]).toEqual([false, told]);
  });
});

describe('hostile input', () => {
  const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>&"\'';

  test('markup in texts stays text; in the title of an author nothing of it works', async () => {
    const { id } = await addEpisode({ title: `Safe ${markup}`, subtitle: markup, summary: markup }, 'author');
    const episode = await read(`podcast/v2/episodes/${id}`, 'editor');
    expect(episode).toMatchObject({ subtitle: markup, summary: markup });
    for (const name of ['title', 'title_clean']) expect(episode[name], name).not.toMatch(/<script|onerror/);
  });

  test.each<[string, object]>([
    ['another id in the body', { id: 999_999, subtitle: 'Whose' }],
    ['a time that overflows', { duration: '1:60' }],
    ['a time of ages', { duration: '99999999999:00:00' }],
    ['a negative number', { number: -3 }],
    ['a number without end', { number: 1e300 }],
    ['an empty guid', { guid: '' }],
    ['a text without end', { subtitle: 'x'.repeat(100_000) }],
    ['an address that is a script', { cover: 'javascript:alert(1)' }],
    ['a license that is a script', { license_url: 'javascript:alert(1)' }],
    ['a license of another scheme', { license_url: 'data:text/html,x' }],
    ['productions without end', { ext_chapter_timing_maps: productions(21) }],
    ['a show that there is not', { show: 'nothing' }],
    ['a day that there is not', { recording_date: '2026-02-31' }],
    ['a key that is half a config', { ext_webhook_config: { enabled: true } }],
  ])('%s is refused, and nothing is written', async (_what, sent) => {
    const { id } = await addEpisode({ title: 'Whole' });
    const before = await read(`podcast/v2/episodes/${id}`, 'editor');
    const refused = await send('PUT', `podcast/v2/episodes/${id}`, { ...sent, license_name: 'Never' }, 'editor');
    expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(await read(`podcast/v2/episodes/${id}`, 'editor')).toEqual(before);
  });

  test('the guid of another episode is refused: apps would show only one of both', async () => {
    const mine = await addEpisode({ title: 'Mine' }, 'author');
    const { guid } = await read(`podcast/v2/episodes/${(await addEpisode({ title: 'Theirs' })).id}`, 'editor');
    expect(await send('PUT', `podcast/v2/episodes/${mine.id}`, { guid }, 'author')).toMatchObject({ status: 400 });
    const own = await read(`podcast/v2/episodes/${mine.id}`, 'author');
    expect(own['guid']).not.toBe(guid);
    expect(await send('PUT', `podcast/v2/episodes/${mine.id}`, { guid: own['guid'] }, 'author')).toMatchObject({
      status: 200,
    });
  });

  test('a key of a production service is kept, and never answered', async () => {
    const { id } = await addEpisode({ title: 'Keyed', ext_webhook_config: { authkey: 'very-secret', enabled: true } });
    const [row] = await site.context.store.db.select().from(podcastEpisode).where(eq(podcastEpisode.id, id));
    expect(row).toMatchObject({ publishesWhenProduced: true, productionKeyHash: expect.any(String) as string });
    expect(JSON.stringify([row, await read(`podcast/v2/episodes/${id}`, 'administrator')])).not.toContain('secret');
  });
});

function productions(count: number): object {
  const one = { source_starts_ms: [0], output_starts_ms: [0] };
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`production-${i}`, one]));
}

const addShow = async (title: string) => (await send('POST', 'podcast/v2/shows', { title }, 'administrator')).body.id;

test('an address that is none is named in words, and has no code of its own, as on other servers', async () => {
  const refused = await send('PUT', 'podcast/v2/podcast', { cover_image: 'nonsense' }, 'administrator');
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: 'rest_invalid_param',
      data: { params: { cover_image: 'cover_image is not a web address such as https://example.org/.' }, details: [] },
    },
  });
});

describe('shows', () => {
  test('are written and deleted at their own address alone, whatever id is sent with it', async () => {
    const [one, other] = [await addShow('One'), await addShow('Other')];
    const path = `podcast/v2/shows/${one}`;
    for (const refused of [
      await send('PUT', path, { id: other, title: 'Taken over' }, 'administrator'),
      await send('DELETE', `${path}?id=${other}`, undefined, 'administrator'),
    ])
      expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(await read(`podcast/v2/shows/${other}`)).toMatchObject({ title: 'Other' });
    for (const id of [one, other])
      expect(await send('DELETE', `podcast/v2/shows/${id}`, { id }, 'administrator')).toMatchObject({ status: 200 });
  });

  test('are written, listed, and named by episodes', async () => {
    const made = await send('POST', 'podcast/v2/shows', { title: 'Wände', language: 'de-AT' }, 'administrator');
    expect(made).toMatchObject({ status: 201, body: { slug: 'wande', language: 'de-AT', subtitle: null } });
    const path = `podcast/v2/shows/${made.body.id}`;
    const { id, page } = await addEpisode({ title: 'Folge', show: 'wande' });
    await publish(page);
    expect(await listedIds('show=wande')).toEqual([id]);
    const fields = { category: 'Books', slug: 'waende', image: 'https://example.org/c.png' };
    expect((await send('PATCH', path, fields, 'administrator')).body).toMatchObject({ category: 'Arts > Books' });
    expect(await read(`podcast/v2/episodes/${id}`)).toMatchObject({ show: 'waende' });
    expect((await read('podcast/v2/shows'))['results']).toMatchObject([{ slug: 'waende', title: 'Wände' }]);
    expect((await send('PATCH', path, { image: '' }, 'administrator')).body).toMatchObject({ image: null });
    expect((await send('GET', 'podcast/v2/episodes?show=wande')).status).toBe(404);
    await send('PUT', `podcast/v2/episodes/${id}`, { show: '' }, 'editor');
    expect(await listedIds('show=waende')).toEqual([]);
    await send('PUT', `podcast/v2/episodes/${id}`, { show: 'waende' }, 'editor');
    expect((await send('DELETE', path, undefined, 'administrator')).body).toEqual({ status: 'ok' });
    expect(await read(`podcast/v2/episodes/${id}`)).toMatchObject({ show: '' });
    expect((await send('GET', path)).status).toBe(404);
  });

  test('have unique slugs, and are written by users who manage the site', async () => {
    expect((await send('POST', 'podcast/v2/shows', { title: 'No' }, 'editor')).status).toBe(403);
    const add = (fields: object) => send('POST', 'podcast/v2/shows', fields, 'administrator');
    expect((await add({ title: '日本語' })).body).toMatchObject({ slug: 'show' });
    for (const fields of [
      {},
      { title: ' ' },
      { title: 'Show' },
      { title: 'x', slug: 'A b' },
      { title: 'x', language: 'xx' },
    ])
      expect(await add(fields), JSON.stringify(fields)).toMatchObject({ body: { code: 'rest_invalid_param' } });
  });
});
