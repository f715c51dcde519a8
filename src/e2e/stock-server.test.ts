import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { copyProject, type ProjectCopy, type RunningCommand } from './project-copy.ts';
import { pagesBelow } from './pages-below.ts';

/** Another server of both interfaces, under the names that stock publishing servers use. */
let server: ProjectCopy;
let origin: RunningCommand;
let site: ProjectCopy;
let upstreams: Record<string, string>;

beforeAll(async () => {
  [server, site] = await Promise.all([copyProject(inject('projectFolder')), copyProject(inject('projectFolder'))]);
  origin = server.start('origin', ['--port', '0', '--demo', '--stock-names'], { REST_ROOT: 'wp-json' });
  const [address = ''] = await origin.printed(/http:\/\/(127\.0\.0\.1|localhost):\d+/);
  const token = await server.run('origin', ['token', 'create', '--user', 'redaktion', '--json']);
  expect(token.code, token.stderr).toBe(0);
  upstreams = {
    PRODUCT_API_URL: address,
    PRODUCT_API_TOKEN: /[0-9a-f]{40}/.exec(token.stdout)?.[0] ?? '',
    PUBLISHING_URL: address,
  };
  const index = (await (await fetch(`${address}/wp-json/`)).json()) as { namespaces: string[] };
  expect(index.namespaces).toContain('wp/v2');
  expect(index.namespaces).not.toContain('core/v2');
});
afterAll(async () => {
  await origin.stop();
  await Promise.all([server.remove(), site.remove()]);
});

it('the same site builds from it, and nothing of the embedded origin starts', async () => {
  const sync = await site.run('sync', [], upstreams);
  expect(sync.code, sync.stderr + sync.stdout).toBe(10);
  const build = await site.run('build', [], upstreams);
  expect(build.code, build.stderr).toBe(0);

  const pages = await pagesBelow(path.join(site.folder, 'dist'));
  expect(pages.filter((page) => /^\/[^/]+\/p\/[^/]+\/$/.test(page))).toHaveLength(72);
  expect(pages.filter((page) => /^\/[^/]+\/journal\/[^/]+\/$/.test(page))).toHaveLength(36);
  await expect(readFile(path.join(site.folder, '.sortiment/origin/key'))).rejects.toThrow('ENOENT');
});

it('builds again without the network once there is a snapshot', async () => {
  const build = await site.run('build', [], {
    ...upstreams,
    PRODUCT_API_URL: 'http://127.0.0.1:9',
    PUBLISHING_URL: 'http://127.0.0.1:9',
    SORTIMENT_OFFLINE: '1',
  });
  expect(build.code, build.stderr).toBe(0);
});
