import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { OptionsInput } from '../../config/index.ts';
import { createProduct, languages } from '../../loaders/fixtures/index.ts';
import { openSnapshot } from '../../snapshot/index.ts';
import { hostsFolder } from '../hosts/host-files.ts';
import { hostOutput } from './host-output.ts';
import { openTestSite, type TestSite } from './test-outputs.ts';

const gtin = '9524010000016';
const OLD = `de-de/p/alt-${gtin}/index.html`;

let site: TestSite;
afterEach(() => site.close());

/** A site whose one product was called "Alt" before. */
async function buildFor(host: OptionsInput['host']): Promise<void> {
  site = openTestSite(
    {
      records: { language: languages('de-de') },
      products: [{ language: 'de-de', record: createProduct({ name: 'Neu' }) }],
    },
    { host },
  );
  const snapshot = openSnapshot(site.settings.snapshotPath);
  snapshot.database.exec(`INSERT INTO past_names VALUES ('${gtin}', 'de-de', 'Alt', '2026-11-20')`);
  snapshot.close();
  await site.update([hostOutput]);
}

const beside = () => readdirSync(hostsFolder(site.settings)).toSorted();

describe('a page that has moved', () => {
  it('leaves a page behind that leads on, where the host knows no redirects', async () => {
    await buildFor('none');
    expect([...site.files.keys()]).toEqual([OLD]);
    const page = site.files.get(OLD) ?? '';
    const url = `https://catalogue.example/de-de/p/neu-${gtin}/`;
    expect(page).toContain(`<meta http-equiv="refresh" content="0; url=${url}" />`);
    expect(page).toContain(`<link rel="canonical" href="${url}" />`);
    expect(page).toContain(`<a href="${url}">Weiter zur neuen Adresse</a>`);
    expect(page).not.toContain('undefined');
    await site.update([hostOutput]);
    expect(site.written).toEqual([]);
  });

  it('is told to hosts that do', async () => {
    await buildFor('cloudflare');
    expect([...site.files.keys()].toSorted()).toEqual(['_headers', '_redirects']);
    expect(site.files.get('_redirects')).toBe(`/de-de/p/alt-${gtin}/ /de-de/p/neu-${gtin}/ 301\n`);
  });

  it('is told to servers beside the site, and to the local one always', async () => {
    await buildFor('nginx');
    expect([...site.files.keys()]).toEqual([]);
    expect(beside()).toEqual(['nginx-redirects.conf', 'nginx.conf', 'redirects.json']);
    const table: unknown = JSON.parse(readFileSync(path.join(hostsFolder(site.settings), 'redirects.json'), 'utf8'));
    expect(table).toEqual({ [`/de-de/p/alt-${gtin}/`]: `/de-de/p/neu-${gtin}/` });
    expect(existsSync(path.join(site.settings.distFolder, 'nginx.conf'))).toBe(false);
  });
});
