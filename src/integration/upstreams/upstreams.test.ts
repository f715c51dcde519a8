import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { defineConfig, resolveSettings, type Environment } from '../../config/index.ts';
import { languages, writeSnapshot } from '../../loaders/fixtures/index.ts';
import { ensureSnapshot, openUpstreams } from './index.ts';

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
