import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { CatalogueTable, FamilyTable } from '#catalogue/facets/family-table.ts';
import { findViolations, findColourViolations } from './audit-accessibility.ts';
import { clickAndLoad } from './click-and-load.ts';
import { measureOverflow } from './measure-overflow.ts';
import { shareTabs } from './share-tabs.ts';

const siteUrl = inject('siteUrl');
const ROOF = '/de-de/products/roof-and-facade-membranes/';
const TAPES = '/en-gb/products/adhesive-tapes/';
const [UNI_60, UNI_150, BUTYL] = ['9524010000085', '9524010000092', '9524010000122'];

const share = shareTabs();
let tab: Page;
let complaints: string[];

async function open(options: BrowserContextOptions = {}): Promise<void> {
  ({ tab, complaints } = await share(options));
}

/** Allows for a busy machine. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
const address = () => new URL(tab.url());
const names = () => tab.locator('.products tbody a:visible').allTextContents();
const status = () => tab.locator('.list__state [role=status]').textContent();
/** A value among the filters: its checkbox is the label. */
const option = (facet: string, value: string) =>
  tab
    .getByRole('group', { name: facet })
    .locator('label', { hasText: new RegExp(`^\\s*${value.replaceAll(' ', String.raw`\s`)}\\s+\\d+$`) });
const columns = () => tab.locator('.compare thead th a').allTextContents();
const valuesOf = (name: string) => rowOf(name).locator('td > span').allTextContents();
const rowOf = (name: string) => tab.locator('.compare tbody tr', { has: tab.getByRole('rowheader', { name }) });

const overflow = () => measureOverflow(tab);

it.each(['de-DE', 'en-US', 'fr-FR'])('filters alike by 1,5 and 1.5 in a browser that speaks %s', async (locale) => {
  await open({ locale });
  for (const language of ['de-de', 'en-gb', 'fr-fr']) {
    const found: string[][] = [];
    for (const typed of ['1,5', '1.5']) {
      await tab.goto(`${siteUrl}/${language}/products/adhesive-tapes/`);
      await tab.locator('input[name="area.min"]').fill(typed);
      await tab.locator('input[name="area.min"]').press('Tab');
      await soon(() => address().search).toBe('?area.min=1.5');
      await soon(async () => (await names()).length).toBeLessThan(6);
      found.push(await names());
    }
    expect(found[0], language).toEqual(found[1]);
    expect(found[0]).toContain('KLEVENTO Uni 60');
  }
  expect(complaints).toEqual([]);
});

describe('a planner', () => {
  beforeEach(() => open());

  it.each([1440, 360])(
    'finds membranes of 1.5 m with class E in three steps, and shares them (%s px)',
    async (width) => {
      await open({ viewport: { width, height: 740 } });
      await tab.goto(`${siteUrl}/de-de/`);
      // The navigation of phones is folded.
      await clickAndLoad(tab.getByRole('main').getByRole('link', { name: 'Alle Produkte', exact: true }).first());
      await option('Breite', '1,5 m').click();
      await option('Brandklasse', 'E').click();
      const found = ['DIFFRANA Vario 75', 'DIFFRANA Brems 20', 'DIFFRANA Sperr 1500', 'DIFFRANA Dach 150'];
      await soon(names).toEqual(found);
      await soon(status).toBe('4 von 24 Produkten');
      await soon(() => address().search).toBe('?fire-class=e&width=1-5-m');
      // Another class would match as well.
      expect(await option('Brandklasse', 'B').locator('small').textContent()).toBe('1');

      const colleague = await tab.context().newPage();
      await colleague.goto(tab.url());
      await soon(() => colleague.locator('.products tbody a:visible').allTextContents()).toEqual(found);
      const chosen = await colleague.locator('label:has(:checked)', { hasText: /1,5\sm/ }).boundingBox();
      expect((chosen?.x ?? Infinity) + (chosen?.width ?? 0)).toBeLessThanOrEqual(width);
      await colleague.close();

      await tab.goBack();
      await soon(names).toHaveLength(5);
      await tab.getByRole('button', { name: 'Zurücksetzen' }).click();
      await soon(names).toHaveLength(24);
      await soon(() => address().search).toBe('');
      expect(complaints).toEqual([]);
      expect(await overflow()).toBeLessThanOrEqual(0);
    },
  );

  it('opens the filtered list of a family from that of all products', async () => {
    await tab.goto(`${siteUrl}${ROOF}?fire-class=e&width=1-5-m`);
    await soon(names).toEqual(['DIFFRANA Dach 150']);
    await soon(status).toBe('1 von 3 Produkten');
  });

  it('loads the values with the first filter, not with the page', async () => {
    const loaded: string[] = [];
    tab.on('request', (request) => request.url().endsWith('.json') && loaded.push(new URL(request.url()).pathname));
    await tab.goto(`${siteUrl}${TAPES}`, { waitUntil: 'networkidle' });
    expect(loaded).toEqual([]);
    await option('Width', '60 mm').click();
    await soon(names).toHaveLength(2);
    expect(loaded).toEqual([`${TAPES}facets.json`]);
    tab.removeAllListeners('request');
  });

  it('sorts by a declared value', async () => {
    await tab.goto(`${siteUrl}${TAPES}`);
    await tab.getByLabel('Sort by').selectOption({ label: 'Width, descending' });
    await soon(async () => (await names())[0]).toBe('KLEVENTO Uni 150');
    await soon(() => address().search).toBe('?sort=-width');
  });

  it('reads the same columns in each row and language, and once what all products share', async () => {
    for (const [language = '', shared = ''] of [
      ['de-de', 'Bei allen 4 gleich'],
      ['en-gb', 'The same for all 4'],
      ['fr-fr', 'Identique pour les 4'],
    ]) {
      await tab.goto(`${siteUrl}/${language}/products/vapour-control-membranes/`);
      const rows = await tab.locator('.products tbody tr').all();
      const values = await Promise.all(rows.map((row) => row.locator('[data-label]').allTextContents().then(trimmed)));
      expect(values.map((cells) => cells[0]?.replace(',', '.'))).toEqual([
        '0.25 – 25 m EN ISO 12572',
        '0.25 – 25 m EN ISO 12572',
        '20 m EN 1931',
        '≥ 1500 m EN 1931',
      ]);
      expect(values.map((cells) => cells.length)).toEqual([3, 3, 3, 3]);
      const norms = await tab.locator('.products thead small').allTextContents();
      expect(trimmed(norms)).toEqual(['m', 'N/5 cm · EN 12311-2', 'N · EN 12310-1']);
      const line = tab.locator('.list__shared', { hasText: shared });
      expect([await line.isVisible(), await line.locator('strong').first().textContent()]).toEqual([true, 'E']);
    }
    await tab.goto(`${siteUrl}${TAPES}`);
    const nail = tab.getByRole('row', { name: 'KLEVENTO Nagel 50' });
    expect(await nail.getByRole('cell', { name: 'not declared' }).count()).toBe(2);
  });

  it('sees six tapes with pictures on one screen of a laptop', async () => {
    await tab.setViewportSize({ width: 1440, height: 900 });
    await tab.goto(`${siteUrl}${TAPES}`);
    const heights = await tab.locator('.products tbody tr').evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(Math.max(...heights)).toBeLessThanOrEqual(92);
    expect(
      await tab
        .locator('.products__image img')
        .first()
        .evaluate((image) => image.clientWidth),
    ).toBeGreaterThanOrEqual(64);
  });

  it('chooses three, compares them, takes one out and puts another in', async () => {
    await tab.goto(`${siteUrl}${TAPES}`);
    for (const name of ['KLEVENTO Uni 60', 'KLEVENTO Uni 150', 'KLEVENTO Butyl 25'])
      await tab.getByRole('checkbox', { name: `${name} compare` }).check();
    await clickAndLoad(tab.getByRole('link', { name: 'Compare selection' }));
    await soon(columns).toEqual(['KLEVENTO Uni 60', 'KLEVENTO Uni 150', 'KLEVENTO Butyl 25']);
    await soon(() => address().search).toBe(`?p=${UNI_60},${UNI_150},${BUTYL}`);
    expect(await valuesOf('Width')).toEqual(['60 mm', '150 mm', '25 mm'].map(unbroken));
    expect(await rowOf('Width').getByRole('img', { name: 'differs' }).count()).toBe(1);
    expect(await rowOf('Height').locator('td').first().textContent()).toContain('not declared');

    const all = await tab.locator('.compare tbody tr:visible').count();
    await tab.getByLabel('Show differences only').check();
    await soon(() => tab.locator('.compare tbody tr:visible').count()).toBeLessThan(all);

    await tab.getByRole('button', { name: 'Remove KLEVENTO Uni 150' }).click();
    await soon(columns).toEqual(['KLEVENTO Uni 60', 'KLEVENTO Butyl 25']);
    await tab.getByLabel('Add a product').selectOption({ index: 0 });
    await tab.getByRole('button', { name: 'Add' }).click();
    await soon(columns).toHaveLength(3);
    await soon(() => address().searchParams.get('p')?.split(',')).toHaveLength(3);
    await tab.goBack();
    await soon(columns).toEqual(['KLEVENTO Uni 60', 'KLEVENTO Butyl 25']);
    expect(complaints).toEqual([]);
  });

  it('has every product in sight, under its name that stays at the top', async () => {
    await tab.setViewportSize({ width: 1440, height: 700 });
    await tab.goto(`${siteUrl}${TAPES}compare/?p=${UNI_60},${UNI_150},${BUTYL}`);
    await soon(columns).toHaveLength(3);
    const region = tab.locator('.compare__region');
    expect(
      await region.evaluate((box) => [box.scrollHeight > box.clientHeight, box.scrollWidth > box.clientWidth]),
    ).toEqual([false, false]);
    const last = tab.locator('.compare tbody tr').last();
    await last.scrollIntoViewIfNeeded();
    const heads = await tab.locator('.compare thead th').all();
    const cells = await last.locator(':scope > *').all();
    expect(cells).toHaveLength(heads.length);
    for (const [i, head] of heads.entries()) {
      const [above, below] = [await head.boundingBox(), await cells[i]?.boundingBox()];
      expect([above?.y, above?.x, above?.width]).toEqual([0, below?.x, below?.width]);
      expect((above?.x ?? 0) + (above?.width ?? 0)).toBeLessThanOrEqual(1440);
    }
    expect(await tab.locator('.compare thead th[scope=col]').count()).toBe(4);
    expect(await tab.locator('.compare tbody tr:not(:has(> th[scope=row]:first-child))').count()).toBe(0);
    // Tapes are not folded.
    expect(await rowOf('Delivered folded').count()).toBe(0);
  });

  it('is told what the table shows as long as nothing is chosen', async () => {
    await tab.goto(`${siteUrl}${TAPES}compare/`);
    await soon(() => tab.locator('#compare-choice [role=status]').textContent()).toBe(
      '6 products are shown. Select up to 4 to compare only those.',
    );
    expect(await columns()).toHaveLength(6);
  });

  it('compares a small family with one click, and products of one family only', async () => {
    await tab.goto(`${siteUrl}/en-gb/products/vapour-control-membranes/`);
    await clickAndLoad(tab.getByRole('link', { name: 'Compare all 4' }));
    await soon(columns).toHaveLength(4);
    await tab.goto(`${siteUrl}/en-gb/products/`);
    await tab.getByRole('checkbox', { name: 'DIFFRANA Vario 75 compare' }).check();
    await tab.getByText('Products are compared within a family: Vapour control membranes.').waitFor();
    expect(await tab.getByRole('checkbox', { name: 'KLEVENTO Uni 60 compare' }).isDisabled()).toBe(true);
    expect(await tab.getByRole('checkbox', { name: 'DIFFRANA Brems 20 compare' }).isEnabled()).toBe(true);
  });

  it('comes from a product, and finds it beside its neighbours with room for another', async () => {
    await tab.goto(`${siteUrl}${TAPES}`);
    await clickAndLoad(tab.getByRole('link', { name: 'KLEVENTO Uni 60' }));
    await clickAndLoad(tab.getByRole('link', { name: 'Compare with this product' }));
    await soon(columns).toHaveLength(3);
    expect((await columns())[0]).toBe('KLEVENTO Uni 60');
    expect(await tab.getByLabel('Add a product').isEnabled()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('keeps the choice in another language', async () => {
    await tab.goto(`${siteUrl}${TAPES}compare/?p=${UNI_60},${BUTYL}`);
    await soon(columns).toHaveLength(2);
    await tab.getByRole('banner').locator('.languages button').click();
    await clickAndLoad(tab.getByRole('banner').locator('a[hreflang="fr-FR"]'));
    await soon(columns).toEqual(['KLEVENTO Uni 60', 'KLEVENTO Butyl 25']);
    expect(address().pathname).toBe('/fr-fr/products/adhesive-tapes/compare/');
    expect(await valuesOf('Largeur')).toEqual(['60 mm', '25 mm'].map(unbroken));
  });

  it('prints the comparison on a sheet of its own shape', async () => {
    await tab.goto(`${siteUrl}${TAPES}compare/?p=${UNI_60},${UNI_150},${BUTYL}`);
    await soon(columns).toHaveLength(3);
    await tab.emulateMedia({ media: 'print' });
    expect(await tab.getByRole('button', { name: 'Add' }).isVisible()).toBe(false);
    expect(await tab.locator('.compare').isVisible()).toBe(true);
    const pdf = (await tab.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    expect(Number(width)).toBeGreaterThan(Number(height));
  });

  it('does all of it with the keyboard', async () => {
    await tab.goto(`${siteUrl}${TAPES}`);
    const box = (name: string) => tab.getByRole('checkbox', { name });
    await box('butyl rubber').focus();
    await tab.keyboard.press('Space');
    await soon(names).toEqual(['KLEVENTO Butyl 25']);
    await tab.keyboard.press('Space');
    for (const width of ['100 mm', '150 mm']) {
      await box(width).focus();
      await tab.keyboard.press('Space');
    }
    await soon(names).toEqual(['KLEVENTO Uni 150', 'KLEVENTO Putz 100']);
    for (const name of await names()) {
      await tab.getByRole('checkbox', { name: `${name} compare` }).focus();
      await tab.keyboard.press('Space');
    }
    await tab.getByRole('link', { name: 'Compare selection' }).focus();
    await tab.keyboard.press('Enter');
    await soon(columns).toHaveLength(2);
    await tab.getByRole('button', { name: 'Remove KLEVENTO Putz 100' }).focus();
    await tab.keyboard.press('Enter');
    await soon(columns).toEqual(['KLEVENTO Uni 150']);
    await soon(() => tab.evaluate(() => document.activeElement?.className)).toBe('compare__region');
  });

  it('sees no control that can do nothing', async () => {
    const reset = tab.getByRole('button', { name: 'Reset' });
    await tab.goto(`${siteUrl}${TAPES}`);
    expect(await reset.isVisible()).toBe(false);
    for (const box of (await tab.getByRole('checkbox', { name: 'compare' }).all()).slice(0, 4)) await box.check();
    await soon(() => reset.isVisible()).toBe(true);
    await reset.click();
    await soon(() => reset.isVisible()).toBe(false);

    const [add, all] = [
      tab.getByRole('button', { name: 'Add' }),
      tab.getByRole('link', { name: 'Show the whole family' }),
    ];
    await tab.goto(`${siteUrl}/en-gb/products/vapour-control-membranes/compare/`);
    await soon(columns).toHaveLength(4);
    for (const control of [add, tab.getByLabel('Add a product'), all]) expect(await control.isVisible()).toBe(false);
    await tab.getByRole('button', { name: 'Remove DIFFRANA Vario 75' }).click();
    await soon(columns).toHaveLength(3);
    await soon(async () => [await add.isVisible(), await all.isVisible()]).toEqual([true, true]);
    await add.click();
    await soon(columns).toHaveLength(4);
    await soon(async () => [await add.isVisible(), await all.isVisible()]).toEqual([false, false]);
    await soon(() => tab.evaluate(() => document.activeElement?.className)).toBe('compare__region');
  });

  it('tells by its look what can not be chosen any more', async () => {
    await tab.goto(`${siteUrl}${TAPES}?p=${UNI_60},${UNI_150},${BUTYL}`);
    const boxes = tab.locator('.products tbody label');
    const looks = () => boxes.evaluateAll((labels) => labels.map((label) => getComputedStyle(label).opacity));
    expect(new Set(await looks())).toEqual(new Set(['1']));
    await tab.locator('.products tbody input:not(:checked)').first().check();
    await soon(looks).toContain('0.5');
    const disabled = await boxes.evaluateAll((labels) => labels.map((label) => label.querySelector('input')?.disabled));
    expect((await looks()).map((opacity) => opacity !== '1')).toEqual(disabled);
  });

  it('is told when the data is not there', async () => {
    await tab.route('**/facets.json', (route) => route.abort());
    await tab.goto(`${siteUrl}${TAPES}?sort=-width`);
    await tab.getByText('could not be loaded').waitFor();
    expect(await names()).toHaveLength(6);
  });

  it('reads a message when the rows of a family are not there, and sees them with the next change', async () => {
    const cells = () => tab.locator('[data-family=vapour-control-membranes] [data-label]').allTextContents();
    await tab.goto(`${siteUrl}/de-de/products/vapour-control-membranes/`);
    const built = trimmed(await cells());
    await openChanged(0, (section) => {
      section.dataset['table'] = '/de-de/products/vapour-control-membranes/facets.json';
      for (const row of [...section.querySelectorAll('tbody tr')].slice(1)) row.remove();
    });
    await tab.route('**/vapour-control-membranes/facets.json', (route) => route.fulfill({ status: 503 }));
    await option('Brandklasse', 'E').click();
    await soon(status).toContain('konnten nicht geladen werden');
    await tab.unroute('**/vapour-control-membranes/facets.json');
    await option('Brandklasse', 'E').click();
    await soon(async () => trimmed(await cells())).toEqual(built);
  });

  it('sees all products of a list without a link to the rest', async () => {
    await openChanged(-1, (section) => {
      section.querySelector('.more')?.remove();
      const body = section.querySelector('tbody');
      const row = body?.querySelector('tr');
      if (row) body?.replaceChildren(...Array.from({ length: 20 }, () => row.cloneNode(true)));
    });
    await tab.route('**/de-de/products/facets.json', async (route) => {
      const table = (await (await route.fetch()).json()) as CatalogueTable;
      const before = table.counts.slice(0, -1).reduce((sum, count) => sum + count, 0);
      const add = (of: number[][]) => [...of.slice(0, before), ...Array.from({ length: 20 }, () => of.at(-1) ?? [])];
      await route.fulfill({
        json: {
          ...table,
          counts: [...table.counts.slice(0, -1), 20],
          columns: table.columns.map((column) => ({ ...column, of: add(column.of) })),
        },
      });
    });
    const rows = tab.locator('[data-family]').last().locator('tbody tr');
    await tab.getByLabel('Sortieren nach').selectOption({ index: 1 });
    await soon(status).toContain(' von ');
    expect(await rows.count()).toBe(20);
    await tab.getByRole('button', { name: 'Zurücksetzen' }).click();
    await soon(status).not.toContain(' von ');
    expect(await rows.count()).toBe(20);
  });

  it('reloads a list from before the last build', async () => {
    for (const [page, products] of [
      [TAPES, 6],
      ['/en-gb/products/', 24],
    ] as const) {
      await tab.route('**/facets.json', async (route) => {
        const table = (await (await route.fetch()).json()) as FamilyTable;
        await route.fulfill({ json: { ...table, version: `${table.version}-newer` } });
      });
      await tab.goto(`${siteUrl}${page}?fire-class=e&width=60-mm`);
      await tab.getByText('could not be loaded').waitFor();
      expect(await names()).toHaveLength(products);
      await tab.unroute('**/facets.json');
      await tab.reload();
      await soon(async () => (await names()).length).toBeLessThan(products);
    }
  });

  it('gets an answer among 2,000 products that touches each of them at most once', async () => {
    const small = JSON.parse(readFileSync(`${inject('projectFolder')}/dist${TAPES}facets.json`, 'utf8')) as FamilyTable;
    const times = Math.ceil(2000 / small.products.length);
    const many = <T>(list: readonly T[]): T[] => Array.from({ length: times }, () => list).flat();
    const body = JSON.stringify({
      ...small,
      products: many(small.products).map((product, i) => ({ ...product, gtin: String(9_524_000_000_000 + i) })),
      columns: small.columns.map((column) => ({ ...column, of: many(column.of) })),
    });
    await tab.route('**/facets.json', (route) => route.fulfill({ contentType: 'application/json', body }));
    await tab.goto(`${siteUrl}${TAPES}?sort=-width`);
    await tab.getByText('2,004 of 2,004 products').waitFor();
    await soon(names).toHaveLength(48);
    const touched = await tab.evaluate(async () => {
      const changes: MutationRecord[] = [];
      const observer = new MutationObserver((records) => changes.push(...records));
      observer.observe(document.body, { subtree: true, attributes: true, childList: true, characterData: true });
      document.querySelector<HTMLInputElement>('.options [type=checkbox]')?.click();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return changes.length;
    });
    expect(touched).toBeGreaterThan(0);
    // The products, and the counts of the options.
    expect(touched).toBeLessThan(2_004 + 200);
  });
});

/** Opens the list of all products in a separate tab, with a family that differs from the demo. */
async function openChanged(index: number, change: (section: HTMLElement) => void): Promise<void> {
  tab = await tab.context().newPage();
  // Before the scripts of the page.
  await tab.addInitScript(`document.addEventListener('readystatechange', () => {
    (${change.toString()})([...document.querySelectorAll('[data-family]')].at(${index}));
  }, { once: true });`);
  await tab.goto(`${siteUrl}/de-de/products/`);
}

describe('without JavaScript', () => {
  beforeEach(() => open({ javaScriptEnabled: false, locale: 'de-DE' }));

  it('a planner finds by fire class and width on pages of their own', async () => {
    await tab.goto(`${siteUrl}${ROOF}`);
    await clickAndLoad(tab.getByRole('link', { name: 'E 2', exact: true }));
    expect(address().pathname).toBe(`${ROOF}fire-class/e/`);
    expect(await tab.locator('.products tbody a').allTextContents()).toEqual([
      'DIFFRANA Dach 150',
      'DIFFRANA Sockel KSK',
    ]);
    // Only one product has class B: the link opens it.
    await clickAndLoad(tab.getByRole('link', { name: 'B 1', exact: true }));
    await tab.getByRole('heading', { level: 1, name: 'DIFFRANA Fassade UV' }).waitFor();

    await tab.goto(`${siteUrl}${ROOF}fire-class/e/`);
    await tab.getByRole('banner').locator('.languages button').click();
    await clickAndLoad(tab.getByRole('banner').locator('a[hreflang="en-GB"]'));
    expect(address().pathname).toBe('/en-gb/products/roof-and-facade-membranes/fire-class/e/');
  });

  it('a planner compares the family, and sees no control that needs a script', async () => {
    await tab.goto(`${siteUrl}${ROOF}`);
    expect(await tab.locator('main').locator('input:visible, select:visible, button:visible').count()).toBe(0);
    await clickAndLoad(tab.getByRole('link', { name: 'Alle 3 vergleichen' }));
    expect(await columns()).toEqual(['DIFFRANA Dach 150', 'DIFFRANA Fassade UV', 'DIFFRANA Sockel KSK']);
    expect(await valuesOf('Brandklasse')).toEqual(['E', 'B-s1, d0', 'E']);
    await tab.getByLabel('Nur Unterschiede zeigen').check();
    expect(await rowOf('Brandklasse').isVisible()).toBe(true);
    await tab.goto(`${siteUrl}/de-de/products/`);
    expect(await tab.locator('main').locator('input:visible, select:visible, button:visible').count()).toBe(0);
  });

  it('has no script on the lists of a value', () => {
    expect(readFileSync(`${inject('projectFolder')}/dist${ROOF}fire-class/e/index.html`, 'utf8')).not.toMatch(
      /<script(?![^>]*ld\+json)/,
    );
  });
});

describe('on a phone', () => {
  it.each([true, false])(
    'every value stands below its property, beside another and with its product (scripts: %s)',
    async (javaScriptEnabled) => {
      await open({ javaScriptEnabled, viewport: { width: 360, height: 740 } });
      await tab.goto(
        `${siteUrl}${javaScriptEnabled ? `${TAPES}compare/?p=${UNI_60},${UNI_150},${BUTYL}` : `${ROOF}compare/`}`,
      );
      await soon(columns).toHaveLength(3);
      const products = await columns();
      for (const row of await tab.locator('.compare tbody tr').all()) {
        const head = await row.getByRole('rowheader').boundingBox();
        const cells = await row.getByRole('cell').all();
        const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()));
        expect(await row.locator('.compare__product:visible').allTextContents().then(trimmed)).toEqual(products);
        expect(boxes[0]?.y).toBe(boxes[1]?.y);
        for (const box of boxes) {
          expect(box?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
        }
      }
      expect(await overflow()).toBeLessThanOrEqual(0);
    },
  );

  it.each([
    `${ROOF}fire-class/e/`,
    ROOF,
    '/fr-fr/products/',
    '/de-de/products/vapour-control-membranes/',
    `${ROOF}compare/`,
    `${TAPES}compare/?p=${UNI_60},${BUTYL}`,
    `${TAPES}?p=${UNI_60}`,
  ])('%s fits and meets WCAG 2.2 AA in both colour schemes', async (page) => {
    await open({ colorScheme: 'light', viewport: { width: 360, height: 740 } });
    await tab.goto(`${siteUrl}${page}`, { waitUntil: 'networkidle' });
    expect(await overflow()).toBeLessThanOrEqual(0);
    const details = tab.locator('.list__more');
    if (await details.count()) await details.locator('summary').click();
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await findViolations(tab)).toEqual([]);
    await tab.emulateMedia({ colorScheme: 'dark' });
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await findColourViolations(tab)).toEqual([]);
  });
});

/** Replaces spaces between numbers and units by non-breaking ones. */
function unbroken(text: string): string {
  return text.replace(' ', '\u00a0');
}

function trimmed(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim());
}
