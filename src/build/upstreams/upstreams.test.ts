import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { defineConfig, resolveSettings, type Environment } from '#config/index.ts';
import { languages, writeSnapshot } from '#catalogue/testing/write-snapshot.ts';
import { runManagement } from '#origin/admin/management/run-management.ts';
import { diagnose } from '#commands/doctor/diagnose.ts';
import { canStartWithDemo } from './demo-start.ts';
import { ensureSnapshot, openUpstreams } from './ensure-snapshot.ts';

const settingsFor = (folder: string, environment: Partial<Environment>) =>
  resolveSettings(
    folder,
    defineConfig({
      site: { name: 'Haldenwerk' },
      maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
      mainLanguage: 'de-de',
    }),
    environment as Environment,
  );

const emptyFolder = () => mkdtempSync(path.join(tmpdir(), 'sortiment-upstreams-'));
const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

it('takes the upstreams of the environment as they are, and starts nothing', async () => {
  const settings = settingsFor(emptyFolder(), { PRODUCT_API_URL: 'https://data.example', PRODUCT_API_TOKEN: 'x' });
  const { upstreams, origin, close } = await openUpstreams(settings, () => undefined);
  expect(upstreams).toEqual({ product: { root: 'https://data.example/api/partner/v1/', token: 'x' } });
  expect(origin).toBeUndefined();
  await close();
});

it('asks nobody when the network may not be touched', async () => {
  const settings = settingsFor(emptyFolder(), { SORTIMENT_OFFLINE: true });
  await expect(openUpstreams(settings, () => undefined)).rejects.toMatchObject({ code: 'OFFLINE' });
  await expect(ensureSnapshot(settings, logger)).rejects.toMatchObject({
    code: 'SNAPSHOT_MISSING',
    message: expect.stringContaining('SORTIMENT_OFFLINE'),
    hint: expect.stringContaining('npm run sync'),
  });
});

describe('without upstreams in the environment', () => {
  it('refuses where the assortment is the owner’s and nothing holds its products, and sets up nothing', async () => {
    const folder = projectFolder('9524019999991');
    await expect(openUpstreams(settingsFor(folder, {}), () => undefined)).rejects.toMatchObject({
      code: 'UPSTREAMS_MISSING',
      hint: expect.stringContaining('PRODUCT_API_URL'),
    });
    expect(existsSync(path.join(folder, '.sortiment'))).toBe(false);
  });

  it('begins with the demo only where nobody has set anything up', async () => {
    expect(await canStartWithDemo(settingsFor(projectFolder('9524010000016'), {}))).toBe(true);
    expect(await canStartWithDemo(settingsFor(projectFolder('9524019999991'), {}))).toBe(false);
    const other = settingsFor(projectFolder('9524010000016'), { DATABASE_URL: 'postgres://127.0.0.1/sortiment' });
    expect(await canStartWithDemo(other)).toBe(false);
  });

  it('puts no demo into a store that was set up, and a look at it writes nothing', async () => {
    const settings = settingsFor(projectFolder('9524010000016'), {});
    const options = { dataFolder: settings.originFolder, publicUrl: settings.siteUrl };
    await runManagement(options, 'language add', { code: 'nl-nl' });
    const before = filesOf(settings.originFolder);
    const findings = await diagnose(async () => settings);
    expect(findings.find(({ check }) => check === 'Upstreams')?.status).toBe('skip');
    expect(filesOf(settings.originFolder)).toEqual(before);
    const report = vi.fn();
    const { upstreams, origin, close } = await openUpstreams(settings, () => undefined, { demo: true, report });
    const headers = { authorization: `Token ${upstreams.product?.token}` };
    const answer = await fetch(`${origin?.url}/api/partner/v1/language/`, { headers });
    expect(JSON.stringify(await answer.json())).toMatch(/^[^-]*nl-nl[^-]*$/);
    expect(await (await fetch(`${origin?.url}/rest/core/v2/posts`)).json()).toEqual([]);
    await close();
    expect(report).not.toHaveBeenCalled();
  });
});

/** Creates a project with an assortment of one product. */
function projectFolder(gtin: string): string {
  const folder = emptyFolder();
  mkdirSync(path.join(folder, 'content/assortment'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"version":"0.1.0","engines":{"node":">=22.18"}}');
  writeFileSync(path.join(folder, 'content/assortment/range.csv'), `gtin\n${gtin}\n`);
  return folder;
}

function filesOf(folder: string): [string, number][] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return files.map((file) => [file, statSync(path.join(folder, file)).mtimeMs]);
}

it('leaves a snapshot alone, however old it is', async () => {
  const open = vi.fn<typeof openUpstreams>();
  const settings = settingsFor(writeSnapshot({ records: { language: languages('de-de') } }), {});
  expect(await ensureSnapshot(settings, logger, open)).toBeUndefined();
  expect(open).not.toHaveBeenCalled();
});

it('syncs first where there is none, and closes what it has opened', async () => {
  const close = vi.fn(async () => undefined);
  const settings = settingsFor(emptyFolder(), { PRODUCT_API_URL: 'http://127.0.0.1:9', PRODUCT_API_TOKEN: 'x' });
  const quick = { ...settings, options: { ...settings.options, sync: { ...settings.options.sync, retries: 0 } } };
  const upstreams = typeof quick.upstreams === 'string' ? {} : quick.upstreams;
  await expect(ensureSnapshot(quick, logger, async () => ({ upstreams, close }))).rejects.toMatchObject({
    code: expect.any(String),
    hint: expect.any(String),
  });
  expect(close).toHaveBeenCalledOnce();
});
