import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendHtml } from '#client/testing/test-server.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { createPost, GTINS, startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

const [FIRST = ''] = GTINS;

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream();
  upstream.lists['posts'] = [createPost({ id: 1 }), createPost({ id: 2, slug: 'zwei' })];
});
afterEach(() => upstream.close());

const at = (iso: string) => ({ now: () => new Date(iso) });

/** The publishing site is down, while a price has changed and a post would have. */
function breakPublishing(): void {
  upstream.products.set(`${FIRST}/de-de`, createProduct({ gtin: FIRST, price: 7 }));
  upstream.lists['posts'] = [];
  upstream.fault = (_, request, response) => {
    if (!request.url?.startsWith('/wp-json/wp/v2/pages')) return false;
    sendHtml(response, 503);
    return true;
  };
}

describe('a source that is down', () => {
  it('stops the run, unless the options say otherwise', async () => {
    await upstream.sync();
    breakPublishing();
    await expect(upstream.sync()).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.stringContaining('Product changes are delayed'),
      hint: expect.stringContaining("`sync.sources.publishing.whenDown: 'use-last-good'`"),
    });
    upstream.read((snapshot) => expect(snapshot.product(FIRST, 'de-de')?.record.price).toBe(142.5));
  });

  it('is not to be gone on without when nothing is stored of it, or when it is set up wrongly', async () => {
    breakPublishing();
    const error = await upstream.sync().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', hint: expect.not.stringContaining('whenDown') });
    upstream.fault = undefined;
    await upstream.sync();
    upstream.namespaces = ['acme/v1'];
    await expect(upstream.sync()).rejects.toMatchObject({
      code: 'UPSTREAM_WRONG_ADDRESS',
      hint: expect.not.stringContaining('whenDown'),
    });
  });

  it('is gone on without, with what is stored of it, its date and the reason', async () => {
    upstream.settings.options.sync.sources.publishing = { whenDown: 'use-last-good', maxAgeHours: 48 };
    await upstream.sync(at('2026-11-20T10:00:00Z'));
    breakPublishing();
    const report = await upstream.sync(at('2026-11-21T10:00:00Z'));
    expect(report).toMatchObject({
      counts: { product: { 'de-de': { changed: 1 } } },
      sources: [
        { name: 'product', outcome: 'read' },
        { name: 'publishing', outcome: 'last-good', asOf: '2026-11-20T10:00:00.000Z', problem: /503/ },
      ].map((source) => ('problem' in source ? { ...source, problem: expect.stringMatching(source.problem) } : source)),
    });
    upstream.read((snapshot) => {
      expect([...snapshot.records('post')]).toHaveLength(2);
      expect(snapshot.sources()).toMatchObject([
        { name: 'product', lastSuccess: '2026-11-21T10:00:00.000Z', failedSince: undefined },
        {
          name: 'publishing',
          lastSuccess: '2026-11-20T10:00:00.000Z',
          failedSince: '2026-11-21T10:00:00.000Z',
          problem: expect.stringContaining('503'),
        },
      ]);
    });
    upstream.fault = undefined;
    await upstream.sync(at('2026-11-21T11:00:00Z'));
    upstream.read((snapshot) =>
      expect(snapshot.sources()[1]).toMatchObject({ failedSince: undefined, problem: undefined }),
    );
  });

  it('is not gone on without when what is stored is too old', async () => {
    upstream.settings.options.sync.sources.publishing = { whenDown: 'use-last-good', maxAgeHours: 48 };
    await upstream.sync(at('2026-11-18T10:00:00Z'));
    breakPublishing();
    await expect(upstream.sync(at('2026-11-21T10:00:00Z'))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.stringMatching(/72 hours old; the limit is 48/),
    });
  });

  it('can be skipped, even when it was never read', async () => {
    upstream.settings.options.sync.sources.publishing = { whenDown: 'skip', maxAgeHours: 1 };
    breakPublishing();
    expect((await upstream.sync()).sources[1]).toMatchObject({ outcome: 'skipped', asOf: undefined });
    upstream.read((snapshot) => expect([...snapshot.products()]).toHaveLength(8));
  });

  it('may be the product interface, too: not a record is lost, and the posts go on', async () => {
    upstream.settings.options.sync.sources.product = { whenDown: 'use-last-good', maxAgeHours: 48 };
    await upstream.sync();
    upstream.lists['posts'] = [createPost({ id: 1, slug: 'anders', modified_gmt: '2026-11-21T09:45:00' })];
    upstream.fault = (_, request, response) => {
      if (!request.url?.includes('/product/')) return false;
      response.writeHead(403, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
    const report = await upstream.sync();
    expect(report.sources[0]).toMatchObject({ outcome: 'last-good' });
    expect(report.counts).toEqual({ post: { '': { added: 0, changed: 1, removed: 1 } } });
    upstream.read((snapshot) => expect([...snapshot.products()]).toHaveLength(8));
  });
});
