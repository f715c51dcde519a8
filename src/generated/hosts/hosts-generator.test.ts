import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { OptionsInput } from '#config/index.ts';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { hostsFolder, hosts } from './hosts.ts';
import { openTestSite, type TestSite } from '../testing/test-generators.ts';

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
  await site.update([hosts]);
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
    await site.update([hosts]);
    expect(site.written).toEqual([]);
  });

  it('is told to hosts that do', async () => {
    await buildFor('cloudflare');
    expect([...site.files.keys()].toSorted()).toEqual(['_headers', '_redirects']);
    expect(site.files.get('_redirects')).toMatch(new RegExp(`^/de-de/p/alt-${gtin}/ /de-de/p/neu-${gtin}/ 301$`, 'm'));
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

describe('a document that was replaced', () => {
  const [old, now, gone] = ['a', 'b', 'c'].map((sign) => sign.repeat(64));
  const url = 'https://media.example/sds.pdf';

  /** A safety data sheet with other bytes since, and a data sheet that the product doesn't name any more. */
  async function buildReplaced(host: OptionsInput['host']): Promise<void> {
    site = openTestSite(
      {
        records: { language: languages('de-de') },
        products: [{ language: 'de-de', record: createProduct({ safety_datasheet: url }) }],
        assets: [{ url, kind: 'document', digest: now, file: 'now.pdf', mimeType: 'application/pdf' }],
      },
      { host },
    );
    mkdirSync(site.settings.assetsFolder, { recursive: true });
    for (const name of ['old', 'gone']) writeFileSync(path.join(site.settings.assetsFolder, `${name}.pdf`), name);
    const snapshot = openSnapshot(site.settings.snapshotPath);
    const insert = snapshot.database.prepare(
      `INSERT INTO asset_history VALUES (?, 'document', ?, ?, 3, 'application/pdf', '2026-11-20')`,
    );
    insert.run(url, old ?? '', 'old.pdf');
    insert.run('https://media.example/tds.pdf', gone ?? '', 'gone.pdf');
    snapshot.close();
    await site.update([hosts]);
  }

  it('leads from its old address to the current one, and stays where there is none', async () => {
    await buildReplaced('cloudflare');
    expect(site.files.get('_redirects')).toContain('/documents/aaaaaaaa-sds.pdf /documents/bbbbbbbb-sds.pdf 301\n');
    expect(site.files.get('documents/cccccccc-tds.pdf')).toBe('gone');
    expect(site.files.has('documents/aaaaaaaa-sds.pdf')).toBe(false);
  });

  it('stays at its old address where the host can lead nowhere from it', async () => {
    await buildReplaced('none');
    expect(site.files.get('documents/aaaaaaaa-sds.pdf')).toBe('old');
    expect(site.files.get('documents/cccccccc-tds.pdf')).toBe('gone');
  });
});
