import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { findColourViolations, findViolations } from './audit-accessibility.ts';
import { clickAndLoad } from './click-and-load.ts';
import { download, readCsv, unzip } from './downloaded-files.ts';
import { measureOverflow } from './measure-overflow.ts';
import { shareTabs } from './share-tabs.ts';

const siteUrl = inject('siteUrl');
const [VARIO, UNI, PASSANO] = ['9524010000016', '9524010000085', '0412345000018'];
/** A valid number of another manufacturer. */
const FOREIGN = '4006381333931';

const share = shareTabs();
let tab: Page;
let complaints: string[];

const list = (query = '', language = 'de-de') => `${siteUrl}/${language}/list/${query}`;
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
const address = () => new URL(tab.url());
const names = () => tab.locator('.shortlist tbody th a').allTextContents();
const row = (name: string) => tab.locator('.shortlist tbody tr', { hasText: name });
const button = (name: string) => tab.getByRole('button', { name, exact: true });
const stored = () => tab.evaluate(() => localStorage.getItem('shortlist'));

beforeEach(async () => {
  ({ tab, complaints } = await share({ permissions: ['clipboard-read', 'clipboard-write'] }));
  await tab.goto(list());
  await tab.evaluate(() => localStorage.clear());
});

describe('a planner', () => {
  it('adds products in one tap, removes one, and reloads', async () => {
    await tab.goto(list());
    await tab.getByText('Noch ist nichts gemerkt.').waitFor();
    expect(await tab.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
    await tab.goto(`${siteUrl}/de-de/p/diffrana-vario-75-${VARIO}/`);
    await clickAndLoad(tab.getByRole('link', { name: 'Merken', exact: true }));
    await soon(names).toEqual(['DIFFRANA Vario 75']);
    await soon(() => address().search).toBe('');
    await row('DIFFRANA Vario 75').getByText('142,50').waitFor();
    expect(await row('DIFFRANA Vario 75').textContent()).toMatch(/HW-10110.*0,25 – 25\sm.*lieferbar/s);

    await tab.goto(`${siteUrl}/de-de/search/?q=klevento`);
    await tab.getByRole('link', { name: 'Merken: KLEVENTO Uni 60' }).click();
    await soon(names).toEqual(['DIFFRANA Vario 75', 'KLEVENTO Uni 60']);
    await button('DIFFRANA Vario 75 entfernen').click();
    await soon(names).toEqual(['KLEVENTO Uni 60']);
    await tab.reload();
    await soon(names).toEqual(['KLEVENTO Uni 60']);
    // The list is the same in other languages.
    await tab.goto(list('', 'fr-fr'));
    await row('KLEVENTO Uni 60').getByText('disponible').waitFor();
    expect(await row('KLEVENTO Uni 60').textContent()).toContain('EN ISO 29862\u00A0: ≥ 25');
    await button('Retirer KLEVENTO Uni 60').click();
    await tab.getByText('Votre sélection est vide.').waitFor();
    expect(await stored()).toBeNull();
    expect(complaints).toEqual([]);
  });

  it('adds the ticked products of a list', async () => {
    await tab.goto(`${siteUrl}/de-de/products/vapour-control-membranes/`);
    for (const i of [0, 2]) await tab.locator('.products__tick input').nth(i).check();
    await tab.getByRole('link', { name: 'Merken', exact: true }).click();
    await soon(names).toEqual(['DIFFRANA Vario 75', 'DIFFRANA Brems 20']);
  });

  it('gets the datasheets in a ZIP and the products as a table', async () => {
    await tab.goto(list(`?add=${VARIO},${PASSANO}`, 'en-gb'));
    const zip = unzip((await download(tab, 'All datasheets (ZIP)')).bytes);
    expect([...zip.keys()]).toEqual([expect.stringMatching(/tds-en\.pdf$/), expect.stringMatching(/tds-en\.pdf$/)]);
    for (const content of zip.values()) expect(content.subarray(0, 5).toString()).toBe('%PDF-');
    await tab.getByText('ZIP with 2 documents').waitFor();
    const rows = readCsv((await download(tab, 'As a table (CSV)')).bytes.toString());
    expect(rows.map(({ gtin, item_number, product }) => [gtin, item_number, product])).toEqual([
      [VARIO, 'HW-10110', 'DIFFRANA Vario 75'],
      [PASSANO, 'HW-70108', 'PASSANO Cable 8-12'],
    ]);
    expect(rows[0]).toMatchObject({
      product_url: `${siteUrl}/en-gb/p/diffrana-vario-75-${VARIO}/`,
      values: expect.stringMatching(/EN ISO 12572: 0\.25 – 25\sm; /),
      availability: 'available',
      price: expect.stringContaining('€142.50'),
      datasheet: expect.stringMatching(/^http.*tds-en\.pdf$/),
    });
  });

  it('shares the list, which leaves the list of a colleague alone', async () => {
    await tab.goto(list(`?add=${VARIO},${UNI}`));
    await button('Link zu dieser Liste kopieren').click();
    await tab.getByText('Link kopiert.').waitFor();
    const link = await tab.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(list(`?items=${VARIO},${UNI}`));

    const visit = await share({ locale: 'de-DE' });
    tab = visit.tab;
    await tab.goto(list(`?add=${PASSANO},${UNI}`));
    await tab.goto(link);
    await soon(names).toEqual(['DIFFRANA Vario 75', 'KLEVENTO Uni 60']);
    expect(await stored()).toBe(`${PASSANO},${UNI}`);
    await button('Zu meiner Merkliste hinzufügen').click();
    await soon(names).toEqual(['PASSANO Kabel 8-12', 'KLEVENTO Uni 60', 'DIFFRANA Vario 75']);
    expect(await stored()).toBe(`${PASSANO},${UNI},${VARIO}`);
    await soon(() => address().search).toBe('');
    expect(await button('Zu meiner Merkliste hinzufügen').isHidden()).toBe(true);
    expect(visit.complaints).toEqual([]);
  });

  it('sees products without translation in their language', async () => {
    // As the chooser of a product that has a translation in German only.
    await tab.route(`**/01/0${VARIO}/`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(/<li lang="(?:en|fr).*?<\/li>/gs, '');
      await route.fulfill({ response, body });
    });
    await tab.goto(list(`?items=${VARIO}`, 'en-gb'));
    await row('DIFFRANA Vario 75').getByText('available').waitFor();
    expect(await tab.locator('.shortlist tbody a').getAttribute('href')).toContain('/en-gb/p/');
  });
});

describe('a shared address', () => {
  it('is harmless: names what the catalogue has not, and runs nothing', async () => {
    await tab.goto(list(`?items=${VARIO},${FOREIGN},${encodeURIComponent('<img src=x onerror=document.title=1>')}`));
    const unknown = tab.getByText('nicht in diesem Katalog');
    await soon(() => unknown.count()).toBe(2);
    await soon(names).toEqual(['DIFFRANA Vario 75', FOREIGN, '<img src=x onerror=d']);
    expect(await tab.locator('.shortlist img').count()).toBe(0);
    await button('Zu meiner Merkliste hinzufügen').click();
    await soon(stored).toBe(`${VARIO},${FOREIGN}`);
    const rows = readCsv((await download(tab, 'Als Tabelle (CSV)')).bytes.toString());
    expect(rows.map(({ gtin }) => gtin)).toEqual([VARIO, FOREIGN]);
    await tab.goto(list(`?add=${encodeURIComponent('<script>alert(1)</script>,12')}`));
    await soon(() => address().search).toBe('');
    expect(await stored()).toBe(`${VARIO},${FOREIGN}`);
  });

  it('shows a hundred products of thousands', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => String(9_524_010_100_000 + i));
    // Servers refuse such an address, browsers don't.
    await tab.route('**/list/?items=*', (route) => route.continue({ url: list() }));
    await tab.goto(list(`?items=${many.join(',')}`));
    await tab.getByText('Hier stehen die ersten 100 von 20000 Produkten.').waitFor();
    expect(await tab.locator('.shortlist tbody tr').count()).toBe(100);
    expect(await stored()).toBeNull();
  });

  it('has the list if the browser stores nothing', async () => {
    const blocked = await tab.context().newPage();
    await blocked.addInitScript(() => {
      const deny = () => {
        throw new DOMException('denied', 'SecurityError');
      };
      for (const name of ['getItem', 'setItem', 'removeItem']) Object.assign(Storage.prototype, { [name]: deny });
    });
    const search = () => new URL(blocked.url()).search;
    await blocked.goto(list(`?add=${VARIO}`));
    await blocked.getByText('Dieser Browser speichert die Liste nicht').waitFor();
    await blocked.getByRole('link', { name: 'DIFFRANA Vario 75' }).waitFor();
    await soon(search).toBe(`?items=${VARIO}`);
    await blocked.goto(`${siteUrl}/de-de/`);
    await blocked.goto(list(`?add=${UNI}`));
    await soon(search).toBe(`?items=${VARIO},${UNI}`);
    await blocked.reload();
    for (const name of ['DIFFRANA Vario 75', 'KLEVENTO Uni 60'])
      await blocked.getByRole('button', { name: `${name} entfernen` }).click();
    await blocked.getByText('Noch ist nichts gemerkt.').waitFor();
    await blocked.goto(list(`?add=${PASSANO}`));
    await soon(search).toBe(`?items=${PASSANO}`);
    await blocked.goto(list());
    await soon(search).toBe(`?items=${PASSANO}`);
    await blocked.close();
  });
});

it.each([320, 900, 1440])('fits a screen of %s px, and is accessible', async (width) => {
  await tab.setViewportSize({ width, height: 740 });
  await tab.goto(list(`?items=${VARIO},${UNI},${PASSANO},${FOREIGN}`));
  await row('PASSANO').getByText('2,35').waitFor();
  expect(await measureOverflow(tab)).toBe(0);
  expect(await findViolations(tab)).toEqual([]);
  await tab.emulateMedia({ colorScheme: 'dark' });
  expect(await findColourViolations(tab)).toEqual([]);
});

it('prints the products, without buttons', async () => {
  await tab.goto(list(`?items=${VARIO},${UNI}`));
  await row('KLEVENTO').getByText('24,90').waitFor();
  await tab.emulateMedia({ media: 'print' });
  await tab.setViewportSize({ width: 688, height: 1000 });
  for (const text of ['142,50', '0,25', 'lieferbar']) await row('DIFFRANA').getByText(text).first().waitFor();
  expect(await tab.locator('.shortlist button:visible').count()).toBe(0);
  expect(await measureOverflow(tab)).toBe(0);
});

it('says without JavaScript that it needs it', async () => {
  ({ tab } = await share({ javaScriptEnabled: false }));
  await tab.goto(list('', 'en-gb'));
  expect(await tab.locator('.notice:visible').textContent()).toBe('The shortlist needs JavaScript.');
});
