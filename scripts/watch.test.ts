import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { startTestUpstream, TOKEN, type TestUpstream } from '#sync/testing/test-upstream.ts';

const SECRET = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;

let project: ProjectCopy;
let upstream: TestUpstream;
let environment: Record<string, string>;
beforeAll(async () => {
  project = await copyProject();
  upstream = await startTestUpstream();
  environment = {
    PRODUCT_API_URL: upstream.server.origin,
    PRODUCT_API_TOKEN: TOKEN,
    SORTIMENT_WATCH_SECRET: SECRET,
  };
  const assortment = await readFile(path.join(project.folder, 'content/assortment/haldenwerk.yaml'), 'utf8');
  upstream.fillProducts(assortment.match(/\b\d{13}\b/g) ?? []);
});
afterAll(async () => {
  await upstream.close();
  await project.remove();
});

function postWebhook(url: string): Promise<Response> {
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('msg_1', at, '{}'),
  };
  return fetch(`${url}/hooks/changed`, { method: 'POST', headers, body: '{}' });
}

describe('npm run watch', () => {
  it('explains itself, and what is written wrongly', async () => {
    const [help, wrong, interval, port] = await Promise.all([
      project.run('watch', ['--help']),
      project.run('watch', ['--intervall', '5m']),
      project.run('watch', ['--interval', 'often']),
      project.run('watch', ['--port', 'http']),
    ]);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--interval') });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean --interval') });
    expect(interval).toMatchObject({ code: 2, stderr: expect.stringContaining('"often" is not an interval') });
    expect(port).toMatchObject({ code: 2, stderr: expect.stringContaining('"http" is not a port') });
  });

  it('says which port is taken, and which secret is none, without showing it', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = String((other.address() as AddressInfo).port);
    const [taken, secret] = await Promise.all([
      project.run('watch', ['--port', port], environment),
      project.run('watch', ['--port', '0'], { ...environment, SORTIMENT_WATCH_SECRET: 's3cr3t' }),
    ]);
    other.close();
    expect(taken).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`Port ${port} .*used by another`)),
    });
    expect(secret).toMatchObject({ code: 1, stderr: expect.stringContaining('SORTIMENT_WATCH_SECRET is not') });
    expect(secret.stderr + secret.stdout).not.toContain('s3cr3t');
  });

  it('ends with 0 in the middle of a run, with the snapshot as it was', async () => {
    const watch = project.start('watch', ['--port', '0', '--json', '--interval', '1h'], environment);
    const [, url = ''] = await watch.printed(/"event":"started","url":"([^"]+)"/);
    const [, digest = ''] = await watch.printed(/"event":"sync-finished".*?"digest":"(\w+)"/);

    for (const [key, { gtin, language }] of upstream.products)
      upstream.products.set(key, createProduct({ gtin, language, price: 1 }));
    const after = upstream.server.seen.length;
    // The first responses of the second run arrive, the others never do.
    upstream.fault = (index) => index > after + 5;
    expect((await postWebhook(url)).status).toBe(202);
    await vi.waitFor(() => expect(upstream.server.seen.length).toBeGreaterThan(after + 6), 20_000);
    await watch.stop();

    expect(watch.process.exitCode, watch.output()).toBe(0);
    const lines = watch.output().trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { at: string; event: string });
    expect(events.map(({ event }) => event)).toEqual([
      'started',
      'sync-started',
      'sync-finished',
      'webhook',
      'sync-started',
      'stopping',
      'stopped',
    ]);
    const snapshot = openSnapshot(path.join(project.folder, '.sortiment/snapshot.sqlite'), { readOnly: true });
    expect(snapshot.digest()).toBe(digest);
    snapshot.close();
  });
});
