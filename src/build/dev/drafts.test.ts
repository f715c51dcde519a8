import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listHtmlPages } from '#e2e/list-html-pages.ts';
import { copyProject, type ProjectCopy, type RunningCommand } from '#e2e/project-copy.ts';

const PASSWORD = '0123456789abcdef01234567';
const READER_PASSWORD = PASSWORD.toUpperCase();
const account = (login: string, role: string, applicationPassword: string) => ({
  login,
  role,
  name: login,
  email: `${login}@haldenwerk.example`,
  applicationPassword,
});
const BOOTSTRAP = {
  site: { name: 'Haldenwerk', description: '', timezone: 'Europe/Berlin' },
  users: [account('anna', 'editor', PASSWORD), account('rita', 'subscriber', READER_PASSWORD)],
};
const ENVIRONMENT = { PUBLISHING_USER: 'anna', PUBLISHING_PASSWORD: PASSWORD };
const TIMEOUT_MS = 300_000;

let project: ProjectCopy;
let origin: RunningCommand;
let server: RunningCommand | undefined;
let rest: string;
let site = '';

beforeAll(async () => {
  project = await copyProject();
  await project.configure({ languages: ['de-de'] });
  const bootstrap = path.join(project.folder, 'bootstrap.json');
  await writeFile(bootstrap, JSON.stringify(BOOTSTRAP));
  origin = project.start('origin', ['--port', '0', '--demo', '--bootstrap', bootstrap]);
  const [address = ''] = await origin.printed(/http:\/\/(127\.0\.0\.1|localhost):\d+/);
  rest = `${address}/rest/`;
}, TIMEOUT_MS);
afterAll(async () => {
  await server?.stop();
  await origin.stop();
  await project.remove();
});

async function write(route: string, body: object): Promise<{ id: number }> {
  const authorization = `Basic ${Buffer.from(`anna:${PASSWORD}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(rest + route, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as { id: number };
}

/** Reloads a page of the development server. */
async function reload(url: string): Promise<string> {
  const response = await fetch(site + url, { headers: { accept: 'text/html' } });
  return response.text();
}

/** Finds files below a folder that contain a text. */
async function findText(folder: string, text: string): Promise<string[]> {
  const files = await readdir(path.join(project.folder, folder), { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        // A running server replaces files.
        const content = await readFile(file).catch(() => '');
        return content.includes(text) ? [path.relative(project.folder, file)] : [];
      }),
  );
  return found.flat();
}

it('names the variables and the capability if drafts may not be read', { timeout: TIMEOUT_MS }, async () => {
  const without = await project.run('dev', ['--drafts', '--port', '0']);
  expect(without.stdout + without.stderr).toMatch(/PUBLISHING_USER and PUBLISHING_PASSWORD are not set/);
  const reader = await project.run('dev', ['--drafts', '--port', '0'], {
    PUBLISHING_USER: 'rita',
    PUBLISHING_PASSWORD: READER_PASSWORD,
  });
  expect(reader.stdout + reader.stderr).toMatch(/Drafts can't be read: .*posts\?status=[^]*400 Bad Request/);
  expect(reader.stdout + reader.stderr).toMatch(
    /Set PUBLISHING_USER and PUBLISHING_PASSWORD .*`edit_posts`.*`edit_pages`/,
  );
  expect([without.code, reader.code]).toEqual([1, 1]);
});

it('shows drafts and scheduled content as on the site, marked and current', { timeout: TIMEOUT_MS }, async () => {
  const draft = await write('core/v2/posts', {
    title: 'Siegelentwurf',
    content: '<p>Siegelwort eins</p>',
    status: 'draft',
  });
  const future = { title: 'Siegelplan', status: 'future', date_gmt: '2099-03-04T08:00:00', slug: 'siegelplan' };
  await write('core/v2/pages', { ...future, content: '<p>Siegelwort zwei</p>' });
  const episode = await write('podcast/v2/episodes', { title: 'Siegelfolge' });
  server = project.start('dev', ['--drafts', '--port', '0', '--host', '127.0.0.1'], ENVIRONMENT);
  [, site = ''] = await server.printed(/Local\s+(http:\/\/[\w.:]+)/, TIMEOUT_MS);

  expect(await reload('/de-de/journal/')).toContain('Siegelentwurf');
  const post = await reload(`/de-de/journal/draft-${draft.id}/`);
  expect(post).toMatch(/<strong[^>]*>Entwurf, zuletzt geändert am \d/);
  expect(post).toMatch(/<meta name="robots" content="noindex/);
  expect(post).toContain('Siegelwort eins');
  const page = await reload('/de-de/siegelplan/');
  expect(page).toMatch(/<strong[^>]*>Geplant für den 4\. März 2099/);
  expect(page).toContain('Siegelwort zwei');
  expect(await reload(`/de-de/podcast/draft-${episode.id}/`)).toMatch(/<strong[^>]*>Entwurf/);
  expect(await reload('/de-de/')).not.toContain('Nicht veröffentlicht');

  await write(`core/v2/posts/${draft.id}`, { content: '<p>Siegelwort drei</p>' });
  // Reloads in quick succession share a read.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await reload(`/de-de/journal/draft-${draft.id}/`)).toContain('Siegelwort drei');
});

it('shows the last drafts while the publishing site does not respond', { timeout: TIMEOUT_MS }, async () => {
  await new Promise((resolve) => setTimeout(resolve, 1100));
  origin.process.kill('SIGSTOP');
  try {
    expect(await reload('/de-de/journal/')).toContain('Siegelentwurf');
  } finally {
    origin.process.kill('SIGCONT');
  }
});

/** Files with drafts, except for those of the publishing site. */
async function draftFiles(): Promise<string[]> {
  const files = [...(await findText('.sortiment', 'Siegel')), ...(await findText('.astro', 'Siegel'))];
  return files.filter((file) => !file.startsWith('.sortiment/origin/'));
}

it('leaves a running server its copies, and removes them when it stops', { timeout: TIMEOUT_MS }, async () => {
  const { code, stdout, stderr } = await project.run('build', [], ENVIRONMENT);
  expect(code, stdout + stderr).toBe(0);
  const copies = await draftFiles();
  expect(copies.some((file) => file.startsWith('.sortiment/drafts/'))).toBe(true);
  expect(copies.some((file) => file.startsWith('.astro/'))).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await reload('/de-de/journal/')).toContain('Siegelentwurf');
  await server?.stop();
  expect(await draftFiles()).toEqual([]);
});

it('leaves nothing of a killed server to a build or the snapshot', { timeout: TIMEOUT_MS }, async () => {
  server = project.start('dev', ['--drafts', '--port', '0', '--host', '127.0.0.1'], ENVIRONMENT);
  [, site = ''] = await server.printed(/Local\s+(http:\/\/[\w.:]+)/, TIMEOUT_MS);
  expect(await reload('/de-de/journal/')).toContain('Siegelentwurf');
  server.process.kill('SIGKILL');
  await server.stop();
  expect(await draftFiles()).not.toEqual([]);
  const { code, stdout, stderr } = await project.run('build', [], ENVIRONMENT);
  expect(code, stdout + stderr).toBe(0);
  expect(await listHtmlPages(path.join(project.folder, 'dist'))).not.toEqual([]);
  expect(await findText('dist', 'Siegel')).toEqual([]);
  expect(await draftFiles()).toEqual([]);
});
