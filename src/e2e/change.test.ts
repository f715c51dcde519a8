import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startHookReceiver, type HookReceiver } from './hook-receiver.ts';
import { copyProject, type ProjectCopy, type RunningCommand } from './project-copy.ts';
import { listHtmlPages } from './list-html-pages.ts';
import { podcastEditor, type PodcastEditor } from './podcast-editor.ts';

let project: ProjectCopy;
/** Otherwise each command would start its own origin. */
let origin: RunningCommand | undefined;
let receiver: HookReceiver;
let hook: Record<string, string>;
let editor: PodcastEditor;

const EDITOR = { name: 'anna', password: '0123456789abcdef01234567' };
/** Accounts of the site in addition to those of the demo. */
const BOOTSTRAP = {
  site: { name: 'Haldenwerk', description: '', timezone: 'Europe/Berlin' },
  users: [
    {
      login: EDITOR.name,
      email: 'anna@haldenwerk.example',
      name: 'Anna',
      role: 'editor',
      applicationPassword: EDITOR.password,
    },
  ],
};

beforeAll(async () => {
  project = await copyProject(inject('projectFolder'));
  receiver = await startHookReceiver();
  hook = { SORTIMENT_HOOK_URL: receiver.url, SORTIMENT_HOOK_SECRET: receiver.secret };
  await project.configure({ languages: ['de-de'], hooks: [{ name: 'site' }] });
  const bootstrap = path.join(project.folder, 'bootstrap.json');
  await writeFile(bootstrap, JSON.stringify(BOOTSTRAP));
  origin = project.start('origin', ['--port', '0', '--demo', '--bootstrap', bootstrap]);
  const [address] = await origin.printed(/http:\/\/(127\.0\.0\.1|localhost):\d+/);
  editor = podcastEditor(`${address}/rest/`, EDITOR);
});
afterAll(async () => {
  await origin?.stop();
  receiver.close();
  await project.remove();
});

const readDist = (file: string): Promise<string> => readFile(path.join(project.folder, 'dist', file), 'utf8');

const productPage = async (gtin: string): Promise<string> => {
  const pages = await listHtmlPages(path.join(project.folder, 'dist'));
  const page = pages.find((name) => name.startsWith('/de-de/p/') && name.endsWith(`${gtin}/`)) ?? '';
  return readDist(path.join(page, 'index.html'));
};

const WITHDRAWN = '9524010000023';

/** Removes a product from the assortment, and returns the next one. */
async function withdraw(): Promise<void> {
  const assortment = path.join(project.folder, 'content/assortment/haldenwerk.yaml');
  const lines = (await readFile(assortment, 'utf8')).split('\n');
  await writeFile(assortment, lines.filter((line) => !line.includes(WITHDRAWN)).join('\n'));
  const overlay = path.join(project.folder, `content/products/${WITHDRAWN}.mdx`);
  await writeFile(overlay, '---\nsuccessor: 9524010000016\n---\n');
}

it('one changed price: named, announced once, shown', async () => {
  const first = await project.run('sync', [], hook);
  expect(first.code, first.stderr).toBe(10);
  expect(receiver.deliveries).toHaveLength(1);

  const quiet = await project.run('sync', [], hook);
  expect(quiet.code, quiet.stderr).toBe(0);

  const change = await project.run('origin', [
    'product',
    'set',
    '9524010000016',
    '--language',
    'de-de',
    'price=149.90',
  ]);
  expect(change.code, change.stderr).toBe(0);

  const second = await project.run('sync', [], hook);
  expect(second.code, second.stderr).toBe(10);
  expect(second.stdout).toMatch(/9524010000016.*de-de.*price.*142\.5.*149\.9/);
  expect(receiver.deliveries).toHaveLength(2);
  expect(receiver.deliveries[1]).toMatchObject({
    event: { type: 'catalogue.changed', data: { gtins: ['9524010000016'] } },
  });
  expect(receiver.deliveries[1]?.id).not.toBe(receiver.deliveries[0]?.id);

  const third = await project.run('sync', ['--json'], hook);
  expect(third.code, third.stderr).toBe(0);
  expect(JSON.parse(third.stdout)).toMatchObject({ changed: false, changes: [] });
  expect(receiver.deliveries).toHaveLength(2);

  await withdraw();
  const fourth = await project.run('sync', [], hook);
  expect(fourth.code, fourth.stderr).toBe(10);

  const build = await project.run('build');
  expect(build.code, build.stderr).toBe(0);
  expect(await productPage('9524010000016')).toMatch(/149,90\s*€/u);
});

it('what is withdrawn keeps its page and its documents, and leads to its successor', async () => {
  const page = await productPage(WITHDRAWN);
  expect(page).toContain('Nicht mehr lieferbar');
  expect(page).not.toMatch(/€|noindex|"Offer"/);
  expect(page).toMatch(/Nachfolger:\s*<a href="[^"]+9524010000016\/">DIFFRANA Vario 75</);
  const declaration = /href="(\/documents\/[^"]*dop[^"]*\.pdf)"/.exec(page)?.[1] ?? '';
  expect((await readDist(declaration)).slice(0, 5)).toBe('%PDF-');
  expect(await readDist('sitemap-0.xml')).toContain(WITHDRAWN);
  for (const list of ['', 'products/', 'products/vapour-control-membranes/'])
    expect(await readDist(`de-de/${list}index.html`)).not.toContain(WITHDRAWN);
});

it("an editor's day: each step is what the next sync reports, one hook, a page and an item of the feed", async () => {
  const site = await project.run('sync', [], hook);
  expect(site.code, site.stderr).toBe(0);
  const { id, page, guid } = await editor.create();
  const episode = `podcast/v2/episodes/${id}`;
  const expectNothing = async () => {
    const before = receiver.deliveries.length;
    expect(await project.run('sync', [], hook)).toMatchObject({ code: 0 });
    expect(receiver.deliveries).toHaveLength(before);
  };
  /** Checks a change of the episode in sync, hook, page and feed. */
  const expectChange = async (change: string, fields: string[] = []): Promise<{ html: string; item: string }> => {
    const before = receiver.deliveries.length;
    const { code, stdout, stderr } = await project.run('sync', ['--json'], hook);
    expect(code, stderr).toBe(10);
    const { changes } = JSON.parse(stdout) as {
      changes: { kind: string; id: string; change: string; fields: { field: string }[] }[];
    };
    const ofEpisodes = changes.filter(({ kind }) => kind === 'episode');
    expect(ofEpisodes, stdout).toMatchObject([{ id: String(id), change }]);
    // An editor's write changes the page as well.
    const named = ofEpisodes.flatMap((one) => one.fields.map(({ field }) => field));
    expect(named.filter((field) => field !== 'modified')).toEqual(fields);
    // Its head and its files change with it; nothing else does.
    const others = changes.filter(({ kind }) => !['episode', 'media', 'asset'].includes(kind));
    expect(others.filter((other) => other.kind !== 'head' || other.id !== `episode/${page}`)).toEqual([]);
    expect(receiver.deliveries).toHaveLength(before + 1);
    const build = await project.run('build', ['--json']);
    const { way, why } = JSON.parse(build.stdout) as { way: string; why: string };
    expect({ way, why }, build.stderr).toEqual({
      way: 'cached bundle',
      why: 'only the snapshot may have changed since the last build',
    });
    const items = (await readDist('de-de/podcast/feed.xml')).split('<item>').slice(1);
    const item = items.find((text) => text.includes(`>${guid}</guid>`)) ?? '';
    const [, address = ''] = /<link>([^<]+)</.exec(item) ?? [];
    return { item, html: item && (await readDist(path.join(new URL(address).pathname, 'index.html'))) };
  };

  await editor.send('PUT', episode, {
    title: 'Fenster anschließen',
    slug: 'fenster-anschliessen',
    summary: 'Was die Laibung braucht.',
    show: 'de-de',
    skip_validation: true,
  });
  await editor.upload(page, 'fenster-anschliessen.mp3', await demoAudio('minus-fuenf-grad'));
  await editor.send('PUT', `${episode}/media/1/enable`);
  await editor.send('PUT', `podcast/v2/chapters/${id}`, {
    chapters: [
      { start: '00:00:00', title: 'Anfang' },
      { start: '00:01:00', title: 'Die Laibung' },
    ],
  });
  await expectNothing();
  await editor.send('POST', `core/v2/episodes/${page}`, { status: 'future', date_gmt: '2030-01-01T07:00:00' });
  await expectNothing();

  await editor.send('POST', `core/v2/episodes/${page}`, { status: 'publish', date_gmt: '2026-11-20T07:00:00' });
  const published = await expectChange('added');
  expect(published.html).toContain('Fenster anschließen');
  expect(published.html).toMatch(/#t=(60|1:00)\b/);
  const bytes = (await demoAudio('minus-fuenf-grad')).length;
  expect(published.item).toContain(`length="${bytes}" type="audio/mpeg"`);

  await editor.send('PUT', episode, { title: 'Fenster luftdicht anschließen' });
  const corrected = await expectChange('changed', ['title']);
  expect(corrected.html).toContain('Fenster luftdicht anschließen');
  expect(corrected.item).toContain('Fenster luftdicht anschließen');

  await editor.upload(page, 'fenster-anschliessen.mp3', await demoAudio('dicht-im-winter-offen-im-sommer'));
  await editor.send('PUT', `${episode}/media/1/verify`);
  const replaced = await expectChange('changed', ['audio[0].bytes']);
  expect(replaced.item).toContain(`length="${(await demoAudio('dicht-im-winter-offen-im-sommer')).length}"`);

  await editor.send('DELETE', episode);
  expect((await expectChange('removed')).item).toBe('');

  await editor.send('POST', `core/v2/episodes/${page}`, { status: 'publish' });
  const restored = await expectChange('added');
  expect(restored.html).toContain('Fenster luftdicht anschließen');
  await expectNothing();
});

/** Code in which Astro assembles the head of a page. */
const HEAD_OF_A_PAGE = 'const { links, scripts, styles } = await env.headElements(manifest, routeData);';

it('renders with the code of the installed release of Astro', async () => {
  const bundle = path.join(project.folder, '.sortiment/build/bundle');
  const entry = (await readdir(bundle)).find((file) => file.startsWith('prerender-entry')) ?? '';
  const code = await readFile(path.join(bundle, entry), 'utf8');
  expect(code).toContain(HEAD_OF_A_PAGE);
  const link = 'links.add({ props: { rel: "release", href: this.pathname }, children: "" });';
  await writeFile(path.join(bundle, entry), code.replace(HEAD_OF_A_PAGE, `${HEAD_OF_A_PAGE}${link}`));
  await rm(path.join(project.folder, 'dist/de-de'), { recursive: true });
  const build = await project.run('build', ['--json']);
  expect(build.code, build.stderr).toBe(0);
  expect(JSON.parse(build.stdout)).toMatchObject({ way: 'cached bundle' });
  const pages = (await listHtmlPages(path.join(project.folder, 'dist'))).filter((page) => page.startsWith('/de-de/p/'));
  expect(pages.length).toBeGreaterThan(5);
  for (const page of pages)
    expect(await readDist(path.join(page, 'index.html'))).toContain(`<link rel="release" href="${page}">`);
});

/** Reads a file of the demo. */
async function demoAudio(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path.join(project.folder, `content/demo/podcast/audio/${name}.mp3`)));
}
