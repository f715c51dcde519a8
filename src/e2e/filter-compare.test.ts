import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { FamilyTable } from '#catalogue/facets/family-table.ts';
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
const names = () => tab.locator('.rows h2 a').allTextContents();
const columns = () => tab.locator('.compare thead th a').allTextContents();
const valuesOf = (name: string) => rowOf(name).locator('td > span').allTextContents();
const rowOf = (name: string) => tab.locator('.compare tbody tr', { has: tab.getByRole('rowheader', { name }) });

const overflow = () => measureOverflow(tab);

it.each(['de-DE', 'en-US', 'fr-FR'])('filters alike by 1,5 and 1.5 in a browser that speaks %s', async (locale) => {
  await open({ locale });
  for (const language of ['de-de', 'en-gb', 'fr-fr']) {
    const found: string[][] = [];
    for (const typed of ['1,5', '1.5']) {
      await tab.goto(`${siteUrl}/${language}/products/vapour-control-membranes/filter/`);
      await soon(names).toHaveLength(4);
      await tab.locator('input[name="width.max"]').fill(typed);
      await tab.locator('input[name="width.max"]').press('Tab');
      await soon(() => address().search).toBe('?width.max=1.5');
      await soon(async () => (await names()).length).toBeLessThan(4);
      found.push(await names());
    }
    expect(found[0], language).toEqual(found[1]);
    expect(found[0]).toContain('DIFFRANA Vario 75');
  }
  expect(complaints).toEqual([]);
});

describe('a planner', () => {
  beforeEach(() => open());

  it('filters by width and fire class, and shares what was found', async () => {
    await tab.goto(`${siteUrl}${ROOF}`);
    await clickAndLoad(tab.getByRole('link', { name: 'Merkmale kombinieren und sortieren' }));
    const status = tab.getByRole('status').first();
    await soon(() => status.textContent()).toBe('3 von 3 Produkten');

    await tab.getByRole('group', { name: 'Brandklasse' }).getByRole('checkbox', { name: 'E' }).check();
    await soon(names).toEqual(['DIFFRANA Dach 150', 'DIFFRANA Sockel KSK']);
    await tab.getByRole('group', { name: 'Breite' }).getByLabel('von').fill('1.2');
    await tab.getByRole('group', { name: 'Breite' }).getByLabel('von').press('Tab');
    await soon(names).toEqual(['DIFFRANA Dach 150']);
    expect(await status.textContent()).toBe('1 von 3 Produkten');
    expect(address().search).toBe('?fire-class=e&width.min=1.2');
    // Another class would match as well.
    const other = tab.getByRole('group', { name: 'Brandklasse' }).locator('.check', { hasText: 'B' });
    expect(await other.locator('small').textContent()).toBe('1');

    const colleague = await tab.context().newPage();
    await colleague.goto(tab.url());
    await soon(() => colleague.locator('.rows h2 a').allTextContents()).toEqual(['DIFFRANA Dach 150']);
    await colleague.close();

    await tab.goBack();
    await soon(names).toEqual(['DIFFRANA Dach 150', 'DIFFRANA Sockel KSK']);
    await tab.getByRole('button', { name: 'Zurücksetzen' }).click();
    await soon(names).toHaveLength(3);
    expect(await tab.getByLabel('Sortieren nach').evaluate((field) => field === document.activeElement)).toBe(true);
    expect([address().search, complaints]).toEqual(['', []]);
  });

  it('sorts by a declared value', async () => {
    await tab.goto(`${siteUrl}${TAPES}filter/`);
    await tab.getByLabel('Sort by').selectOption({ label: 'Width, descending' });
    await soon(async () => (await names())[0]).toBe('KLEVENTO Uni 150');
    expect(address().search).toBe('?sort=-width');
  });

  it('chooses three, compares them, takes one out and puts another in', async () => {
    await tab.goto(`${siteUrl}${TAPES}filter/`);
    for (const name of ['KLEVENTO Uni 60', 'KLEVENTO Uni 150', 'KLEVENTO Butyl 25'])
      await tab.getByRole('checkbox', { name: `${name} compare` }).check();
    await clickAndLoad(tab.getByRole('link', { name: 'Compare selection' }));
    await soon(columns).toEqual(['KLEVENTO Uni 60', 'KLEVENTO Uni 150', 'KLEVENTO Butyl 25']);
    expect(address().search).toBe(`?p=${UNI_60},${UNI_150},${BUTYL}`);
    expect(await valuesOf('Width')).toEqual(['60 mm', '150 mm', '25 mm'].map(unbroken));
    expect(await rowOf('Width').getByRole('img', { name: 'differs' }).count()).toBe(1);
    expect(await rowOf('Height').locator('td').first().textContent()).toContain('not declared');

    const all = await tab.locator('.compare tbody tr:visible').count();
    await tab.getByLabel('Show differences only').check();
    expect(await tab.locator('.compare tbody tr:visible').count()).toBeLessThan(all);

    await tab.getByRole('button', { name: 'Remove KLEVENTO Uni 150' }).click();
    await soon(columns).toEqual(['KLEVENTO Uni 60', 'KLEVENTO Butyl 25']);
    await tab.getByLabel('Add a product').selectOption({ index: 0 });
    await tab.getByRole('button', { name: 'Add' }).click();
    await soon(columns).toHaveLength(3);
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
      'Nothing selected: 6 products are shown. Select up to 4.',
    );
    expect(await columns()).toHaveLength(6);
  });

  it('filters by a declared range, which stands first among the values in each language', async () => {
    for (const language of ['de-de', 'en-gb', 'fr-fr']) {
      await tab.goto(`${siteUrl}/${language}/products/vapour-control-membranes/filter/`);
      await soon(names).toHaveLength(4);
      const shown = await tab.locator('.rows > li').first().locator('dd').allTextContents();
      expect(shown.slice(1, 3).map((value) => value.replace(',', '.'))).toEqual(['0.25 – 25 m', '120 / 95 N/5 cm']);
    }
  });

  it('gives the fields for numbers the letters and at least the height of the others', async () => {
    await tab.goto(`${siteUrl}${TAPES}filter/`);
    await soon(names).toHaveLength(6);
    const sizeOf = (selector: string) =>
      tab
        .locator(selector)
        .first()
        .evaluate((field) => ({ font: getComputedStyle(field).font, height: field.getBoundingClientRect().height }));
    const [number, other] = [await sizeOf('.limit input'), await sizeOf('.filter__state select')];
    expect(number.font).toBe(other.font);
    expect(number.height).toBeGreaterThanOrEqual(36);
  });

  it('comes from a product, and finds it beside its neighbours with room for another', async () => {
    await tab.goto(`${siteUrl}${TAPES}`);
    await clickAndLoad(tab.getByRole('link', { name: 'KLEVENTO Uni 60' }).first());
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
    await tab.goto(`${siteUrl}${TAPES}filter/`);
    await soon(names).toHaveLength(6);
    const [box, input] = [tab.getByRole('checkbox', { name: 'butyl rubber' }), tab.getByLabel('from').first()];
    await box.focus();
    await tab.keyboard.press('Space');
    await soon(names).toEqual(['KLEVENTO Butyl 25']);
    await tab.keyboard.press('Space');
    await input.focus();
    await tab.keyboard.type('100');
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
    expect(await tab.evaluate(() => document.activeElement?.className)).toBe('compare__region');
  });

  it('sees no control that can do nothing', async () => {
    const reset = tab.getByRole('button', { name: 'Reset' });
    await tab.goto(`${siteUrl}${TAPES}filter/`);
    await soon(names).toHaveLength(6);
    expect(await reset.isVisible()).toBe(false);
    for (const box of (await tab.getByRole('checkbox', { name: 'compare' }).all()).slice(0, 4)) await box.check();
    expect(await reset.isVisible()).toBe(true);
    await reset.click();
    expect(await reset.isVisible()).toBe(false);

    const [add, all] = [
      tab.getByRole('button', { name: 'Add' }),
      tab.getByRole('link', { name: 'Show the whole family' }),
    ];
    await tab.goto(`${siteUrl}/en-gb/products/vapour-control-membranes/compare/`);
    await soon(columns).toHaveLength(4);
    for (const control of [add, tab.getByLabel('Add a product'), all]) expect(await control.isVisible()).toBe(false);
    await tab.getByRole('button', { name: 'Remove DIFFRANA Vario 75' }).click();
    await soon(columns).toHaveLength(3);
    expect([await add.isVisible(), await all.isVisible()]).toEqual([true, true]);
    await add.click();
    await soon(columns).toHaveLength(4);
    expect([await add.isVisible(), await all.isVisible()]).toEqual([false, false]);
    expect(await tab.evaluate(() => document.activeElement?.className)).toBe('compare__region');
  });

  it('tells by its look what can not be chosen any more', async () => {
    await tab.goto(`${siteUrl}${TAPES}filter/?p=${UNI_60},${UNI_150},${BUTYL}`);
    await soon(names).toHaveLength(6);
    const boxes = tab.locator('.rows .check');
    const looks = () => boxes.evaluateAll((labels) => labels.map((label) => getComputedStyle(label).opacity));
    expect(new Set(await looks())).toEqual(new Set(['1']));
    await tab.locator('.rows .check input:not(:checked)').first().check();
    await soon(looks).toContain('0.5');
    const disabled = await boxes.evaluateAll((labels) => labels.map((label) => label.querySelector('input')?.disabled));
    expect((await looks()).map((opacity) => opacity !== '1')).toEqual(disabled);
  });

  it('is told when the data is not there', async () => {
    await tab.route('**/facets.json', (route) => route.abort());
    await tab.goto(`${siteUrl}${TAPES}filter/`);
    await tab.getByText('could not be loaded').waitFor();
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
    await tab.goto(`${siteUrl}${TAPES}filter/`);
    await tab.getByText('2,004 of 2,004 products').waitFor();
    const touched = await tab.evaluate(async () => {
      const changes: MutationRecord[] = [];
      const observer = new MutationObserver((records) => changes.push(...records));
      observer.observe(document.body, { subtree: true, attributes: true, childList: true, characterData: true });
      document.querySelector<HTMLInputElement>('#filter [type=checkbox]')?.click();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return changes.length;
    });
    expect(touched).toBeGreaterThan(0);
    // The products, and the counts of the options.
    expect(touched).toBeLessThan(2_004 + 200);
  });
});

describe('without JavaScript', () => {
  beforeEach(() => open({ javaScriptEnabled: false, locale: 'de-DE' }));

  it('a planner finds by fire class and width on pages of their own', async () => {
    await tab.goto(`${siteUrl}${ROOF}`);
    await tab.getByText('Nach Merkmalen filtern').click();
    await clickAndLoad(tab.getByRole('link', { name: 'E 2', exact: true }));
    expect(address().pathname).toBe(`${ROOF}fire-class/e/`);
    expect(await tab.locator('.rows h2 a').allTextContents()).toEqual(['DIFFRANA Dach 150', 'DIFFRANA Sockel KSK']);
    // Only one product has class B: the link opens it.
    await clickAndLoad(tab.getByRole('link', { name: 'B 1', exact: true }));
    await tab.getByRole('heading', { level: 1, name: 'DIFFRANA Fassade UV' }).waitFor();

    await tab.goto(`${siteUrl}${ROOF}fire-class/e/`);
    await tab.getByRole('banner').locator('.languages button').click();
    await clickAndLoad(tab.getByRole('banner').locator('a[hreflang="en-GB"]'));
    expect(address().pathname).toBe('/en-gb/products/roof-and-facade-membranes/fire-class/e/');
  });

  it('a planner compares the family, and is told why the filter stays empty', async () => {
    await tab.goto(`${siteUrl}${ROOF}`);
    await clickAndLoad(tab.getByRole('link', { name: 'Produkte vergleichen' }));
    expect(await columns()).toEqual(['DIFFRANA Dach 150', 'DIFFRANA Fassade UV', 'DIFFRANA Sockel KSK']);
    expect(await valuesOf('Brandklasse')).toEqual(['E', 'B-s1, d0', 'E']);
    await tab.getByLabel('Nur Unterschiede zeigen').check();
    expect(await rowOf('Brandklasse').isVisible()).toBe(true);
    await tab.goto(`${siteUrl}${ROOF}filter/`);
    await tab.getByText('nur mit JavaScript').waitFor();
    await clickAndLoad(tab.getByRole('main').getByRole('link', { name: 'Dach-, Fassaden- und Sockelbahnen' }).last());
    expect(address().pathname).toBe(ROOF);
  });

  it('has no script on the lists', () => {
    for (const page of [ROOF, `${ROOF}fire-class/e/`])
      expect(readFileSync(`${inject('projectFolder')}/dist${page}index.html`, 'utf8')).not.toMatch(
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
    `${ROOF}filter/`,
    `${ROOF}compare/`,
    `${TAPES}compare/?p=${UNI_60},${BUTYL}`,
    `${TAPES}filter/?p=${UNI_60}`,
  ])('%s fits and meets WCAG 2.2 AA in both colour schemes', async (page) => {
    await open({ colorScheme: 'light', viewport: { width: 360, height: 740 } });
    await tab.goto(`${siteUrl}${page}`, { waitUntil: 'networkidle' });
    expect(await overflow()).toBeLessThanOrEqual(0);
    const details = tab.locator('.filter__facets');
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
