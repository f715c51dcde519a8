import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { syncCatalogue } from '../build/sync-catalogue.ts';

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream();
  mkdirSync(path.join(upstream.settings.root, 'content/pages/de-de'), { recursive: true });
});
afterEach(() => upstream.close());

const write = (text: string) => writeFileSync(path.join(upstream.settings.root, 'content/pages/de-de/home.mdx'), text);

/** Returns the dead links that a sync reports. */
async function reported(): Promise<string[]> {
  const { settings, upstreams } = upstream;
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const { warnings } = await syncCatalogue(settings, {
    logger,
    environment: {},
    opened: { upstreams, close: async () => undefined },
  });
  return warnings.filter(({ kind }) => kind === 'local').flatMap(({ records }) => records);
}

const TAPES = '[Bänder](/de-de/products/tapes/)';

it('reports a dead link once, wherever it moves in its file, and again when it comes back', async () => {
  write(TAPES);
  expect(await reported()).toEqual(['content/pages/de-de/home.mdx:1']);
  expect(await reported()).toEqual([]);
  write(`Neu\n\n${TAPES} [Platten](/de-de/products/boards/) [Bahnen](/de-de/products/membranes/)`);
  expect(await reported()).toEqual(['content/pages/de-de/home.mdx:3']);
  write('[Bahnen](/de-de/products/membranes/)');
  expect(await reported()).toEqual([]);
  write(TAPES);
  expect(await reported()).toEqual(['content/pages/de-de/home.mdx:1']);
});

it('reports it again when the run that has found it has failed', async () => {
  write(TAPES);
  upstream.fault = (_, request) => {
    request.socket.destroy();
    return true;
  };
  await expect(reported()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  upstream.fault = undefined;
  expect(await reported()).toHaveLength(1);
});
