import { createHash } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { clickAndLoad } from './click-and-load.ts';
import { download, readCsv, unzip } from './downloaded-files.ts';
import { shareTabs } from './share-tabs.ts';

const siteUrl = inject('siteUrl');
const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];

const open = shareTabs();

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a dealer', () => {
  it('narrows the list, chooses three documents and gets them in a ZIP and as a list', async () => {
    const { tab, complaints } = await open({ locale: 'en-GB' });
    await tab.goto(`${siteUrl}/en-gb/downloads/`);
    await tab.getByText('No document selected.').waitFor();
    for (const name of ['Download selection as ZIP', 'Selection as a list (CSV)'])
      expect(await tab.getByRole('button', { name }).isDisabled()).toBe(true);

    await tab.getByRole('searchbox', { name: /Narrow the list/ }).fill('hw-10110');
    expect(await tab.locator('.downloads tbody:visible').count()).toBe(1);
    await tab.getByRole('searchbox', { name: /Narrow the list/ }).fill('diffrana');
    const names = [
      'Datasheet: DIFFRANA Vario 75 HW-10110',
      'Datasheet: DIFFRANA Vario 150',
      'Declaration of performance: DIFFRANA Vario 75',
    ];
    for (const name of names) await tab.getByRole('checkbox', { name: new RegExp(`^Select ${name}`) }).check();
    await tab.getByText(/^Selected: 3 \(0\.2 MB\)$/).waitFor();

    const zip = await download(tab, 'Download selection as ZIP');
    const list = readCsv((await download(tab, 'Selection as a list (CSV)')).bytes.toString());
    expect(zip.name).toBe('documents.zip');
    const files = unzip(zip.bytes);
    expect(files.size).toBe(3);
    expect(list).toHaveLength(3);
    for (const { url = '', sha256: digest, bytes, gtin } of list) {
      const packed = files.get(url.split('/').at(-1) ?? '');
      expect(packed?.subarray(0, 5).toString()).toBe('%PDF-');
      expect(packed && sha256(packed)).toBe(digest);
      expect(packed?.length).toBe(Number(bytes));
      expect(gtin).toMatch(/^9524\d{9}$/);
    }
    expect(complaints).toEqual([]);
  });

  it('chooses the kind of document and takes all that are shown, by keyboard alone', async () => {
    const { tab, complaints } = await open({ locale: 'en-GB' });
    await tab.goto(`${siteUrl}/en-gb/downloads/`);
    await tab.getByRole('radio', { name: 'All' }).focus();
    for (let i = 0; i < 3; i++) await tab.keyboard.press('ArrowDown');
    expect(await tab.getByRole('radio', { name: 'Declaration of performance' }).isChecked()).toBe(true);
    await tab.getByRole('button', { name: 'Select all that are shown' }).press('Enter');
    const kinds = await tab
      .locator('.downloads input:checked')
      .evaluateAll((boxes) => boxes.map((box) => box.closest('tr')?.dataset['type']));
    expect(kinds.length).toBeGreaterThan(3);
    expect(new Set(kinds)).toEqual(new Set(['declaration_of_performance']));
    expect(complaints).toEqual([]);
  });

  it('is told when a document can not be had, and gets no half ZIP', async () => {
    const { tab } = await open({ locale: 'en-GB' });
    await tab.route('**/documents/*.pdf', (route) => route.fulfill({ status: 404 }));
    await tab.goto(`${siteUrl}/en-gb/downloads/`);
    await tab.getByRole('checkbox').first().check();
    await tab.getByRole('button', { name: 'Download selection as ZIP' }).click();
    await tab.getByText(/\.pdf could not be loaded; no ZIP was made/).waitFor();
  });
});

describe('without JavaScript', () => {
  it.each(LANGUAGES)('every document in %s is in the table, in the list and can be opened', async (language) => {
    const { tab } = await open({ javaScriptEnabled: false });
    await tab.goto(`${siteUrl}/${language}/downloads/`);
    const addresses = await tab
      .locator('.downloads a[href$=".pdf"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const rows = readCsv(await (await fetch(`${siteUrl}/${language}/downloads/documents.csv`)).text());
    expect(addresses.length).toBeGreaterThan(30);
    expect(rows.map(({ url = '' }) => new URL(url).pathname)).toEqual(addresses);
    for (const { url = '', sha256: digest } of rows) {
      const answer = await fetch(new URL(new URL(url).pathname, siteUrl));
      expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(digest);
    }
    expect(await tab.locator('#document-tools').isHidden()).toBe(true);
    expect(await tab.getByRole('checkbox').count()).toBe(0);
  });

  it('the kind of document can be chosen, and what is missing is said', async () => {
    const { tab } = await open({ javaScriptEnabled: false, locale: 'de-DE' });
    await tab.goto(`${siteUrl}/de-de/downloads/`);
    await tab.getByRole('radio', { name: 'Sicherheitsdatenblatt' }).check();
    const kinds = await tab
      .locator('.downloads tr[data-type]:visible')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-type')));
    expect(kinds).toHaveLength(24);
    expect(new Set(kinds)).toEqual(new Set(['safety_datasheet']));
    expect(
      await tab.getByText('für dieses Produkt nicht hinterlegt').filter({ visible: true }).count(),
    ).toBeGreaterThan(5);
  });
});

describe('a planner', () => {
  it('goes from a declared value to what its norm measures, and on to a product with a better one', async () => {
    const { tab, complaints } = await open({ javaScriptEnabled: false, locale: 'en-GB' });
    await tab.goto(`${siteUrl}/en-gb/p/diffrana-vario-75-9524010000016/`);
    await tab.getByText('What the standards say').click();
    expect(await tab.getByText(/from A1 \(no contribution\) to F/).isVisible()).toBe(true);
    await clickAndLoad(tab.getByRole('link', { name: 'EN 1931' }));
    await tab.getByRole('heading', { level: 1, name: 'Water vapour transmission of waterproofing sheets' }).waitFor();
    await tab.getByRole('heading', { name: 'Who states the value' }).waitFor();
    await clickAndLoad(tab.getByRole('row', { name: /1500/ }).getByRole('link'));
    await tab.getByRole('heading', { level: 1, name: 'DIFFRANA Sperr 1500' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('finds products in the order of their values, the same in every language, as declared', async () => {
    const { tab } = await open({ javaScriptEnabled: false });
    const read = async (language: string, norm: string) => {
      await tab.goto(`${siteUrl}/${language}/norms/${norm}/`);
      return tab
        .locator('.norm-table tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [
            row.querySelector('a')?.href.match(/\d{13}/)?.[0] ?? '',
            row.querySelector('td')?.textContent ?? '',
          ]),
        );
    };
    for (const norm of ['en-1931', 'en-iso-12572', 'en-13501-1', 'en-1849-2']) {
      const german = await read('de-de', norm);
      expect(german.length).toBeGreaterThan(3);
      for (const language of ['en-gb', 'fr-fr'])
        expect((await read(language, norm)).map(([gtin]) => gtin)).toEqual(german.map(([gtin]) => gtin));
    }
    expect((await read('de-de', 'en-1931')).map(([, value]) => value)).toEqual(['7,5 m', '7,5 m', '20 m', '≥ 1500 m']);
    expect((await read('en-gb', 'en-1931')).map(([, value]) => value)).toEqual(['7.5 m', '7.5 m', '20 m', '≥ 1500 m']);
  });

  it('has a page for every norm that any product names', async () => {
    const { tab } = await open({ javaScriptEnabled: false });
    for (const language of LANGUAGES) {
      await tab.goto(`${siteUrl}/${language}/norms/`);
      const links = await tab
        .locator('.norms a')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
      expect(links).toHaveLength(31);
      for (const link of links) expect((await fetch(new URL(link, siteUrl))).status).toBe(200);
    }
  });
});
