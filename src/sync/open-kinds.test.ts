import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { sendJson } from '#client/testing/test-server.ts';
import { route } from '#contracts/index.ts';
import { SYNCED_KINDS, type SyncedKind, type SyncedRecord } from '#contracts/synced/index.ts';
import { SYNCED_NAMES } from '#contracts/synced/synced-kind.ts';
import { ASSET_KINDS, type AssetKind } from './assets/asset-kinds.ts';
import { startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

/** Kinds of an extension: each is a declaration that no other code refers to. */

const shelf = z.object({ id: z.int(), name: z.string(), text: z.string(), sound: z.string() });

interface ShelfRecord extends SyncedRecord {
  name: string;
  html: string;
  sound: string;
}

/** A list like the others, whose rows don't say when they changed. */
const SHELF: SyncedKind<ShelfRecord> = {
  kind: 'shelf',
  noun: 'shelf',
  list: route({ method: 'GET', path: 'core/v2/shelves', summary: '', access: 'public', response: z.array(shelf) }),
  changes: 'by digest',
  project: (row: z.output<typeof shelf>, texts) => ({
    id: row.id,
    name: texts.plain(row.name),
    html: texts.html(row.text, upstream.server.origin),
    sound: row.sound,
  }),
  references: ({ html, sound }, filesIn) => [...filesIn(html), { address: sound, kind: 'sound' }],
};

const talk = z.object({ id: z.int(), title: z.string(), slug: z.string() });

/** A kind whose list contains only ids, in a custom format. */
const TALK: SyncedKind<z.output<typeof talk>> = {
  kind: 'talk',
  noun: 'talk',
  list: route({
    method: 'GET',
    path: 'talks/v1/talks',
    summary: '',
    access: 'public',
    response: z.object({ results: z.array(z.object({ id: z.int() })) }),
  }),
  rows: (body: { results: { id: number }[] }) => body.results,
  item: route({
    method: 'GET',
    path: 'talks/v1/talks/<id>',
    summary: '',
    access: 'public',
    params: z.object({ id: z.int() }),
    response: talk,
  }),
  changes: 'by digest',
  project: (row: z.output<typeof talk>) => row,
};

const SOUND: AssetKind = {
  kind: 'sound',
  what: 'a sound',
  accept: 'audio/*',
  maxBytes: 1000,
  check: async (bytes) =>
    Buffer.from(bytes).toString('latin1', 0, 4) === 'SND1'
      ? { ok: true, mimeType: 'audio/x-sound', extension: 'snd', details: { seconds: bytes.length - 4 } }
      : { ok: false, problem: 'is not a sound' },
};

const kinds = { content: [...SYNCED_KINDS, SHELF, TALK], assets: [...ASSET_KINDS, SOUND] };

let upstream: TestUpstream;
let talks: z.output<typeof talk>[];

beforeEach(async () => {
  upstream = await startTestUpstream();
  upstream.namespaces.push('talks/v1');
  upstream.fault = (_, request, response) => answerTalks(request, response);
  talks = Array.from({ length: 10 }, (_, i) => ({ id: i + 1, title: `Talk ${i + 1}`, slug: `talk-${i + 1}` }));
  upstream.lists['shelves'] = [createShelf(1), createShelf(2)];
  for (const id of [1, 2]) putSound(`/s${id}.snd`, `SND1${'.'.repeat(30)}`);
});
afterEach(() => upstream.close());

function answerTalks({ url = '' }: IncomingMessage, response: ServerResponse): boolean {
  const [path = '', id] = /\/talks\/v1\/talks(?:\/(\d+))?$/.exec(url) ?? [];
  if (path === '') return false;
  const found = talks.find((row) => String(row.id) === id);
  if (id === undefined) sendJson(response, { results: talks.map((row) => ({ id: row.id })) });
  else if (found) sendJson(response, found);
  else sendJson(response, { code: 'rest_not_found' }, { status: 404 });
  return true;
}

const at = (path: string) => `${upstream.server.origin}${path}`;
const putSound = (path: string, text: string) =>
  upstream.files.set(path, { body: Buffer.from(text), type: 'audio/x-sound' });
const createShelf = (id: number, changes: object = {}) => ({
  id,
  name: `Shelf &amp; ${id}`,
  text: '<p onclick="x()">Oak</p>',
  sound: at(`/s${id}.snd`),
  ...changes,
});
const sync = (options: Parameters<TestUpstream['sync']>[0] = {}) => upstream.sync({ kinds, ...options });
const idsOf = (kind: SyncedKind) => upstream.read((snapshot) => [...snapshot.records(kind)].map(({ id }) => id));

it('knows its own kinds by the names that settings have for them', () => {
  expect(SYNCED_KINDS.map(({ kind }) => kind)).toEqual(SYNCED_NAMES);
});

it('reads kinds that nobody else knows, without dates of change, with files of a kind of their own', async () => {
  const first = await sync();
  expect(first.counts).toMatchObject({ shelf: { '': { added: 2 } }, talk: { '': { added: 10 } } });
  upstream.read((snapshot) => {
    expect([...snapshot.records(SHELF)][0]).toMatchObject({ name: 'Shelf & 1', html: '<p>Oak</p>' });
    expect([...snapshot.records(TALK)][9]).toMatchObject({ id: 10, title: 'Talk 10' });
    expect(snapshot.asset(at('/s1.snd'), 'sound')).toMatchObject({
      mimeType: 'audio/x-sound',
      file: expect.stringMatching(/\.snd$/),
      details: { seconds: 30 },
    });
  });
  expect(await sync()).toMatchObject({ changed: false, changes: [] });
});

it('finds what changes, to the field, and leads on from where a record stood', async () => {
  await sync();
  upstream.lists['shelves'] = [createShelf(1, { name: 'Wall' }), createShelf(2)];
  talks = talks.with(0, { id: 1, title: 'Talk 1', slug: 'first' });
  expect((await sync()).changes).toMatchObject([
    { kind: 'shelf', id: '1', change: 'changed', fields: [{ field: 'name', before: 'Shelf & 1', after: 'Wall' }] },
    { kind: 'talk', id: '1', change: 'changed', fields: [{ field: 'slug', before: 'talk-1', after: 'first' }] },
  ]);
  upstream.read((snapshot) => expect([...snapshot.pastPlaces('talk')]).toMatchObject([{ id: 1, slug: 'talk-1' }]));
});

it('removes what a list leaves out only when it isn’t there when it is asked for, either', async () => {
  await sync();
  const all = talks;
  const skip = upstream.fault;
  upstream.fault = (index, request, response) => {
    talks = request.url?.endsWith('/talks') ? all.slice(1) : all;
    return skip?.(index, request, response) ?? false;
  };
  expect(await sync()).toMatchObject({ changed: false });
  upstream.fault = skip;
  talks = all.slice(1);
  upstream.lists['shelves'] = [createShelf(2)];
  expect((await sync()).changes).toMatchObject([
    { kind: 'shelf', id: '1', change: 'removed' },
    { kind: 'talk', id: '1', change: 'removed' },
  ]);
  expect([idsOf(SHELF), idsOf(TALK)]).toEqual([[2], [2, 3, 4, 5, 6, 7, 8, 9, 10]]);
});

it('guards them, and keeps them when their extension is off or this program doesn’t know them', async () => {
  await sync();
  talks = talks.slice(0, 2);
  const refused = await sync().catch((error: unknown) => String(error instanceof Error && error.message));
  expect(refused).toContain('8 of 10 talk records would be removed');
  talks = [];
  upstream.namespaces.pop();
  expect(await sync()).toMatchObject({
    changed: false,
    warnings: [{ kind: 'talk', problem: expect.stringContaining('no longer offered') }],
  });
  expect(await upstream.sync()).toMatchObject({ changed: false });
  expect([idsOf(SHELF).length, idsOf(TALK).length]).toEqual([2, 10]);
});

it('takes no file that its kind refuses, by its bytes or its size', async () => {
  putSound('/s1.snd', 'MIDI');
  putSound('/s2.snd', `SND1${'.'.repeat(2000)}`);
  const { warnings } = await sync();
  expect(warnings.map(({ problem }) => problem).toSorted()).toEqual([
    'is not a sound',
    'the body is larger than 1000 bytes',
  ]);
  upstream.read((snapshot) => expect(snapshot.asset(at('/s2.snd'), 'sound')).toMatchObject({ reachable: false }));
});
