import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { launchBrowser } from './launch-browser.ts';
import { copyProject, type ProjectCopy, type RunningCommand } from './project-copy.ts';
import { listHtmlPages } from './list-html-pages.ts';

/** Another server of both interfaces, with the names of stock publishing servers. */
let server: ProjectCopy;
let origin: RunningCommand;
let site: ProjectCopy;
let address: string;
let upstreams: Record<string, string>;

beforeAll(async () => {
  [server, site] = await Promise.all([copyProject(inject('projectFolder')), copyProject(inject('projectFolder'))]);
  origin = server.start('origin', ['--port', '0', '--demo', '--stock-names'], { REST_ROOT: 'wp-json' });
  [address = ''] = await origin.printed(/http:\/\/(127\.0\.0\.1|localhost):\d+/);
  const token = await server.run('origin', ['token', 'create', '--user', 'redaktion', '--json']);
  expect(token.code, token.stderr).toBe(0);
  upstreams = {
    PRODUCT_API_URL: address,
    PRODUCT_API_TOKEN: /[0-9a-f]{40}/.exec(token.stdout)?.[0] ?? '',
    PUBLISHING_URL: address,
    // A bundle of the same sources and URL exists.
    SITE_URL: inject('siteUrl'),
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

  const pages = await listHtmlPages(path.join(site.folder, 'dist'));
  expect(pages.filter((page) => /^\/[^/]+\/p\/[^/]+\/$/.test(page))).toHaveLength(72);
  expect(pages.filter((page) => /^\/[^/]+\/journal\/[^/]+\/$/.test(page))).toHaveLength(36);
  await expect(readFile(path.join(site.folder, '.sortiment/origin/key'))).rejects.toThrow('ENOENT');
});

it('what an editor lets an application write stands in the journal after the next sync and build', async () => {
  const login = { name: 'anna', password: 'a-long-enough-one' };
  const account = [login.name, '--email', 'anna@haldenwerk.example', '--password', login.password];
  const created = await server.run('origin', ['user', 'create', ...account]);
  expect(created.code, created.stderr).toBe(0);
  const password = await authorize(login);
  const call = async (route: string, body: BodyInit, headers: Record<string, string>) => {
    const authorization = `Basic ${Buffer.from(`${login.name}:${password}`).toString('base64')}`;
    const answer = await fetch(`${address}/wp-json/wp/v2/${route}`, {
      method: 'POST',
      headers: { authorization, ...headers },
      body,
    });
    expect(answer.status, await answer.clone().text()).toBe(201);
    return (await answer.json()) as { id: number };
  };
  const pixels = { width: 1200, height: 800, channels: 3, background: '#7a9' } as const;
  const picture = await sharp({ create: pixels }).jpeg().toBuffer();
  const { id: media } = await call('media', new Uint8Array(picture), {
    'content-type': 'image/jpeg',
    'content-disposition': 'attachment; filename="baustelle.jpg"',
  });
  const categories = await (await fetch(`${address}/wp-json/wp/v2/categories?slug=deutsch`)).json();
  const [{ id: category }] = categories as [{ id: number }];
  const post = {
    title: 'Größere Öffnungen abdichten',
    content: '<p>Mit <strong>DIFFRANA Vario 75</strong> gelingt es.</p><script>alert(1)</script>',
    status: 'publish',
    categories: [category],
    featured_media: media,
  };
  await call('posts', JSON.stringify(post), { 'content-type': 'application/json' });

  // A sync with credentials reads the same.
  const signedIn = { ...upstreams, PUBLISHING_USER: login.name, PUBLISHING_PASSWORD: password };
  const sync = await site.run('sync', [], signedIn);
  expect(sync.code, sync.stderr + sync.stdout).toBe(10);
  const build = await site.run('build', ['--json'], signedIn);
  expect(JSON.parse(build.stdout), build.stderr).toMatchObject({ way: 'cached bundle' });
  const read = (file: string) => readFile(path.join(site.folder, 'dist/de-de', file), 'utf8');
  const link = /href="\/de-de\/(journal\/[^"]+\/)"[^>]*>\s*Größere Öffnungen abdichten/.exec(
    await read('journal/index.html'),
  );
  const article = await read(`${link?.[1]}index.html`);
  expect(article).toContain('<strong>DIFFRANA Vario 75</strong>');
  expect(article).toMatch(/_images\/[^"]+\.avif/);
  expect(article).not.toContain('alert(1)');
  const secrets = [password, btoa(`${login.name}:${password}`)];
  for (const secret of secrets) expect(sync.stdout + sync.stderr + build.stdout + build.stderr).not.toContain(secret);
  for (const file of await readdir(site.folder, { recursive: true })) {
    if (!/^(dist|\.sortiment)\//.test(file) || !(await stat(path.join(site.folder, file))).isFile()) continue;
    const bytes = await readFile(path.join(site.folder, file));
    for (const secret of secrets) expect(bytes.includes(secret), file).toBe(false);
  }
});

/**
 * Authorizes an application as the editor does in a browser.
 *
 * @returns The application password.
 */
async function authorize({ name, password }: { name: string; password: string }): Promise<string> {
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(`${address}/admin/authorize-application.php?app_name=Texteditor`);
    await tab.locator('[name=login]').fill(name);
    await tab.locator('[name=password]').fill(password);
    await tab.keyboard.press('Enter');
    await tab.getByRole('button', { name: 'Zulassen' }).click();
    return await tab.locator('code.token').innerText();
  } finally {
    await browser.close();
  }
}

it('builds again without the network once there is a snapshot', async () => {
  const build = await site.run('build', [], {
    ...upstreams,
    PRODUCT_API_URL: 'http://127.0.0.1:9',
    PUBLISHING_URL: 'http://127.0.0.1:9',
    SORTIMENT_OFFLINE: '1',
  });
  expect(build.code, build.stderr).toBe(0);
});
