import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { copyProject, type FinishedCommand, type ProjectCopy } from '#e2e/project-copy.ts';
import { writeTestCatalogue } from '#build/testing/test-catalogue.ts';

// Each test runs Vite.
vi.setConfig({ testTimeout: 300_000 });
const IS_SOAK = process.env['SORTIMENT_SOAK'] !== undefined;

let project: ProjectCopy;

beforeAll(async () => {
  project = await copyProject();
  await project.configure({ shareImages: false });
  await writeTestCatalogue(project.folder, 0.1);
  // A build loads the modules for collections with Node: Vite would transform hundreds of modules.
  const loaders = path.join(project.folder, 'src/build/collections/snapshot-loaders.ts');
  appendFileSync(loaders, `if ('env' in import.meta) throw new Error('Vite has loaded this module.');\n`);
});

afterAll(() => project.remove());

const build = (...flags: string[]): Promise<FinishedCommand> => project.run('build', flags, { SORTIMENT_OFFLINE: '1' });

/** Creates a file in the project while a function runs. */
async function withFile<T>(file: string, text: string, run: () => Promise<T>): Promise<T> {
  const place = path.join(project.folder, file);
  writeFileSync(place, text);
  try {
    return await run();
  } finally {
    rmSync(place);
  }
}

it('says where a text is written wrongly, as Astro does in its process, and fails', async () => {
  const { code, stderr } = await withFile('content/pages/de-de/broken.mdx', '---\ntitle: X\n---\n\n<Wall>\n', () =>
    build(),
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(/The build failed: content\/pages\/de-de\/broken\.mdx:5:1\nMDXError: .*`<Wall>`/);
  expect(stderr).not.toMatch(/\n +at /);
  expect(stderr.replaceAll(project.folder, '<project>')).toMatchInlineSnapshot(`
    "Building with Vite: no earlier build has cached a bundle.
    The build failed: content/pages/de-de/broken.mdx:5:1
    MDXError: 5:1: Expected a closing tag for \`<Wall>\` (5:1) (mdx-jsx:unexpected-character)
    Correct the error and build again; --verbose shows Astro's log.
    "
  `);
});

it.runIf(IS_SOAK)('hands the code of what we ourselves find through', async () => {
  const { code, stdout } = await withFile('content/pages/de-de/Mis Named.mdx', '---\ntitle: X\n---\n', () =>
    build('--json'),
  );
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: 'PAGE_MISNAMED', hint: expect.stringContaining('Name it ') },
  });
});

it.runIf(IS_SOAK)('says which page can not be rendered, and of which source it is, and fails', async () => {
  const source = `export const GET = () => { throw new Error('No shelf is so long.'); };`;
  const { code, stderr } = await withFile('src/pages/shelves.txt.ts', source, () => build());
  expect(code).toBe(1);
  expect(stderr).toContain(
    "The build failed in src/pages/shelves.txt.ts: shelves.txt can't be rendered: No shelf is so long.",
  );
});

it('leaves pages to Astro that show images which it makes, and knows that the next time', async () => {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#346' } })
    .png()
    .toBuffer();
  writeFileSync(path.join(project.folder, 'content/pages/de-de/wall.png'), picture);
  const text = '---\ntitle: Bild\ndescription: Ein Bild.\n---\n\n![Eine Wand](./wall.png)\n';
  await withFile('content/pages/de-de/picture.mdx', text, async () => {
    for (const time of IS_SOAK ? ['first', 'next'] : ['first']) {
      rmSync(path.join(project.folder, 'dist'), { recursive: true, force: true });
      const { code, stdout, stderr } = await build();
      expect(code, stdout + stderr).toBe(0);
      expect(stdout).toContain('Astro renders each page itself: pages contain images that Astro resizes.');
      if (time === 'next') expect(stderr).toContain('Building with Vite: pages contain images that Astro resizes.');
      const html = readFileSync(path.join(project.folder, 'dist/de-de/picture/index.html'), 'utf8');
      const [, image = ''] = /src="(\/_astro\/wall\.[^"]+\.webp)"/.exec(html) ?? [];
      expect(existsSync(path.join(project.folder, 'dist', image)), image).toBe(true);
    }
  });
  rmSync(path.join(project.folder, 'content/pages/de-de/wall.png'));
});

/** Reads all files of the site, without the build time. */
function readSite(): Map<string, string> {
  const dist = path.join(project.folder, 'dist');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const places = files.map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    places.map((file) => [
      path.relative(dist, file),
      readFileSync(file, 'latin1').replace(/"(built|pages)":("[^"]+"|\d+)/g, ''),
    ]),
  );
}

const REDIRECTED = 'a redirect and an integration';
/** Features that the cached bundle doesn't support, and incompatible releases of Astro. */
const OTHERS = {
  [REDIRECTED]: (): void => {
    const file = path.join(project.folder, 'astro.config.mjs');
    const mine = `{ name: 'mine', hooks: { 'astro:build:done': async ({ dir, pages }) =>
      (await import('node:fs')).writeFileSync(new URL('mine.txt', dir), String(pages.length)) } }`;
    const text = readFileSync(file, 'utf8').replace('integrations: [', `integrations: [${mine}, `);
    writeFileSync(file, text.replace('site:', `redirects: { '/old': '/de-de/' },\n  site:`));
  },
  'a bundle that is another than expected': (): void => {
    const file = path.join(project.folder, 'src/build/bundle/astro-internals.ts');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('internals: z.object({', 'internals: z.object({ other: z.string(),'));
  },
};

it.runIf(IS_SOAK).each(Object.entries(OTHERS))('builds the same as Astro with %s, and of shards', async (_, change) => {
  change();
  expect(await build()).toMatchObject({ code: 0 });
  const site = readSite();
  expect(await build('--default-loop')).toMatchObject({ code: 0 });
  expect(readSite()).toEqual(site);
  const shards = ['1/2', '2/2'].map((shard) => [shard, path.join(project.folder, shard.replace('/', '-'))] as const);
  for (const [shard, folder] of shards) {
    expect(await build('--shard', shard)).toMatchObject({ code: 0 });
    renameSync(path.join(project.folder, 'dist'), folder);
  }
  expect(await project.run('build', ['merge', ...shards.map(([, folder]) => folder)])).toMatchObject({ code: 0 });
  expect(readSite()).toEqual(site);
  for (const [, folder] of shards) rmSync(folder, { recursive: true });
});

/** A process that has ended exists until its status is read. */
function isRunning(pid: string): boolean {
  const file = `/proc/${pid}/status`;
  return existsSync(file) && !/^State:\s+Z/m.test(readFileSync(file, 'utf8'));
}

it.runIf(IS_SOAK && process.platform === 'linux')("ends Astro's process when the build is killed", async () => {
  rmSync(path.join(project.folder, '.sortiment/build'), { recursive: true, force: true });
  const running = project.start('build', ['--verbose'], { SORTIMENT_OFFLINE: '1' });
  await running.printed(/Syncing content/);
  const pid = running.process.pid ?? 0;
  const [child] = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  expect(child).toBeDefined();
  const ended = once(running.process, 'close');
  running.process.kill('SIGKILL');
  await ended;
  await expect.poll(() => isRunning(child ?? ''), { timeout: 20_000 }).toBe(false);
  if (IS_SOAK) expect(await build()).toMatchObject({ code: 0 });
});
