import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import { clickAndLoad } from './click-and-load.ts';
import { listHtmlPages } from './list-html-pages.ts';
import { measureOverflow } from './measure-overflow.ts';
import { shareTabs } from './share-tabs.ts';

const siteUrl = inject('siteUrl');
const MEMBRANE = '/en-gb/p/diffrana-vario-75-9524010000016/';
const TAPE = '/en-gb/p/klevento-uni-60-9524010000085/';
const FOAM = '/en-gb/p/haftaro-elastic-foam-750-9524010000191/';
const SEALANTS = '/en-gb/products/adhesives-and-foam/calculator/';

const share = shareTabs();

async function visit(path: string, look: (tab: Page) => Promise<void>, options: BrowserContextOptions = {}) {
  const { tab } = await share({ locale: 'en-GB', ...options });
  await tab.goto(siteUrl + path);
  await look(tab);
}

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
const PHONE = { width: 360, height: 740 };
const WITHOUT_SCRIPT = { javaScriptEnabled: false };

describe('a product page', () => {
  it('loads no script', () =>
    visit(MEMBRANE, async (tab) => {
      const scripts = tab.locator('script:not([type="application/ld+json"])');
      expect(await scripts.count()).toBe(0);
    }));

  it('answers on the first screen of a phone: name, number, two values, datasheet', { timeout: 300_000 }, async () => {
    const pages = (await listHtmlPages(`${inject('projectFolder')}/dist`)).filter((page) =>
      /^\/[^/]+\/p\/./.test(page),
    );
    expect(pages.length).toBeGreaterThan(70);
    const hidden: string[] = [];
    for (const page of pages)
      await visit(
        page,
        async (tab) => {
          const head = tab.locator('.product-head');
          const shown = {
            name: head.getByRole('heading', { level: 1 }),
            number: head.locator('.numbers dd').first(),
            value: head.locator('.figures div').first(),
            'second value': head.locator('.figures div').nth(1),
            datasheet: head.locator('a.button[type="application/pdf"]'),
          };
          for (const [name, element] of Object.entries(shown)) {
            const box = (await element.count()) > 0 ? await element.boundingBox() : null;
            if (!box || box.y < 0 || box.y + box.height > PHONE.height) hidden.push(`${page} ${name} ${box?.y}`);
          }
          expect(await measureOverflow(tab)).toBe(0);
        },
        { viewport: PHONE },
      );
    expect(hidden).toEqual([]);
  });

  it('keeps the way to its sections and its datasheet on the screen', () =>
    visit(
      MEMBRANE,
      async (tab) => {
        const bar = tab.getByRole('navigation', { name: 'On this page' });
        await bar.getByRole('link', { name: 'Quantities' }).click();
        await soon(async () => (await bar.boundingBox())?.y).toBeCloseTo(0, 0);
        const title = await tab.getByRole('heading', { name: 'Quantities', exact: true }).boundingBox();
        const { y = -1, height = 0 } = (await bar.boundingBox()) ?? {};
        expect(title?.y).toBeGreaterThanOrEqual(y + height);
        expect(title?.y).toBeLessThan(200);
        expect(await bar.getByRole('link', { name: 'Datasheet' }).isVisible()).toBe(true);
      },
      { ...WITHOUT_SCRIPT, viewport: PHONE },
    ));

  it('leads to the mailbox of its language in one step, with its number and name filled in', async () => {
    for (const [path, mailbox, subject] of [
      [TAPE, 'technical@haldenwerk.example', 'Question about HW-20160 KLEVENTO Uni 60'],
      ['/de-de/p/klevento-uni-60-9524010000085/', 'technik@haldenwerk.example', 'Frage zu HW-20160 KLEVENTO Uni 60'],
    ] as const)
      await visit(path, async (tab) => {
        const href = (await tab.locator('.product-head [href^="mailto:"]').first().getAttribute('href')) ?? '';
        const mail = new URL(href);
        expect([mail.pathname, mail.searchParams.get('subject')]).toEqual([mailbox, subject]);
      });
  });

  it('shows its sd value among those of its family, and its place in the wall', () =>
    visit(MEMBRANE, async (tab) => {
      const scale = tab.getByRole('img', { name: /^sd value on a logarithmic scale from 0\.01\sm to 1500\sm: 0\.25/ });
      expect(await scale.getAttribute('aria-label')).toContain('20 m; ≥ 1500 m');
      expect(await scale.isVisible()).toBe(true);
      expect(await tab.getByRole('img', { name: /In red: Vapour control membrane/ }).isVisible()).toBe(true);
    }));

  it('states the list price of a trade unit without VAT, and that of a square metre', async () => {
    for (const [path, price, perUnit] of [
      [MEMBRANE, '€142.50', '€1.90 per m²'],
      ['/de-de/p/diffrana-vario-75-9524010000016/', '142,50 €', '1,90 € je m²'],
      [TAPE, '€', 'per m'],
    ] as const)
      await visit(path, async (tab) => {
        const shown = (await tab.locator('.price').innerText()).replaceAll(/\s/g, ' ');
        expect(shown).toContain(price);
        expect(shown).toContain(perUnit);
        expect(shown).toMatch(/excl\. VAT|ohne MwSt\./);
        const linked = await tab.locator('script[type="application/ld+json"]').allTextContents();
        expect(linked.join('')).toContain('"valueAddedTaxIncluded":false');
      });
  });

  it('names hazards near the top, before its texts', () =>
    visit(
      FOAM,
      async (tab) => {
        const hazard = tab.getByRole('region', { name: 'Hazard information' });
        expect(await hazard.getByRole('img', { name: 'Flame (GHS02)' }).isVisible()).toBe(true);
        expect(await hazard.getByText('Extremely flammable aerosol.').isVisible()).toBe(true);
        expect(await hazard.getByText('adequate training is required').isVisible()).toBe(true);
        const top = (await hazard.boundingBox())?.y ?? Infinity;
        expect(top).toBeLessThan(
          (await tab.getByRole('heading', { name: 'Application', exact: true }).boundingBox())?.y ?? 0,
        );
        expect(top).toBeLessThan(900);
      },
      { ...WITHOUT_SCRIPT, viewport: { width: 1280, height: 900 } },
    ));

  it('leads to the other format, and to what is used with it', () =>
    visit(MEMBRANE, async (tab) => {
      const formats = tab.getByRole('region', { name: 'Formats' });
      expect(await formats.getByRole('row', { name: /DIFFRANA Vario 150/ }).textContent()).toMatch(/3\sm/);
      await clickAndLoad(formats.getByRole('link', { name: 'DIFFRANA Vario 150' }));
      expect(new URL(tab.url()).pathname).toContain('9524010000023');
      expect(await tab.getByRole('link', { name: 'KLEVENTO Uni 60' }).first().isVisible()).toBe(true);
    }));

  it('gives dimensions as they are usual where it is read: British builders buy by the square metre', async () => {
    await visit(MEMBRANE, async (tab) => {
      expect(await tab.getByRole('row', { name: /^Area 75/ }).textContent()).toMatch(/75\sm²\s*$/);
    });
  });

  it('says of a membrane whether it is folded, and not of a tape', async () => {
    for (const [path, count] of [
      [MEMBRANE, 1],
      [TAPE, 0],
    ] as const)
      await visit(path, async (tab) => {
        expect(await tab.getByRole('row', { name: 'Delivered folded' }).count()).toBe(count);
      });
  });

  it('prints its picture, and each hazard statement on a line of its own', () =>
    visit(FOAM, async (tab) => {
      await tab.emulateMedia({ media: 'print' });
      const picture = tab.locator('.plate img');
      await soon(async () => {
        const { channels } = await sharp(await picture.screenshot()).stats();
        return Math.max(...channels.map(({ stdev }) => stdev));
      }).toBeGreaterThan(20);
      // Overlays hide the image if backgrounds are printed as on paper.
      const marks = await tab.locator('.plate').evaluate((plate) => getComputedStyle(plate, '::before').display);
      expect(marks).toBe('none');
      const statements = tab.locator('.hazard li');
      const places = await statements.evaluateAll((items) =>
        items.map((item) => `${item.getBoundingClientRect().x} ${item.getBoundingClientRect().y}`),
      );
      expect(new Set(places).size).toBe(places.length);
      expect(await statements.first().evaluate((item) => getComputedStyle(item).display)).toBe('list-item');
    }));

  it('says how many rolls an area takes', () =>
    visit(
      MEMBRANE,
      async (tab) => {
        const row = tab.getByRole('region', { name: 'Quantity needed' }).getByRole('row', { name: /^500/ });
        expect(await row.getByRole('cell').textContent()).toMatch(/^8 rolls \(600\sm²\)$/);
        expect(await tab.getByText('Includes 10% for laps and offcuts').isVisible()).toBe(true);
      },
      WITHOUT_SCRIPT,
    ));

  it.each([MEMBRANE.replace('75-9524010000016', '150-9524010000023'), TAPE])(
    'prints on one page, with its codes: %s',
    (path) =>
      visit(path, async (tab) => {
        await tab.emulateMedia({ media: 'print' });
        const codes = tab.locator('svg.code');
        expect(await codes.count()).toBe(2);
        for (const code of await codes.all()) expect(await code.isVisible()).toBe(true);
        expect(pagesOf(await tab.pdf({ preferCSSPageSize: true }))).toBe(1);
      }),
  );
});

describe('the calculator', () => {
  it('shows what is common without a script, and no form that would do nothing', () =>
    visit(
      SEALANTS,
      async (tab) => {
        expect(await tab.locator('form[data-calculator]').isVisible()).toBe(false);
        expect(await tab.getByRole('row', { name: /HAFTARO Hybrid 290/ }).textContent()).toContain('2.9');
      },
      WITHOUT_SCRIPT,
    ));

  it('calculates for the product that one comes from, with own numbers that the address keeps', () =>
    visit('/en-gb/p/haftaro-hybrid-290-9524010000184/', async (tab) => {
      await clickAndLoad(tab.getByRole('link', { name: 'Calculate with your own dimensions' }));
      const result = tab.locator('form[data-calculator] output');
      await result.waitFor();
      expect(await tab.locator('select[name="p"]').inputValue()).toBe('9524010000184');
      // 100 m of 10 × 8 mm with 25 % extra are 10 000 ml: 34.5 cartridges of 290 ml.
      expect(await result.textContent()).toMatch(
        /^35 cartridges \(10\.15\sl\) = 2 boxes and 11 cartridges for 100\sm of joint, 10\smm × 8\smm plus 25\s%/,
      );
      await tab.getByLabel('Joint width in mm').fill('20,5');
      await tab.getByLabel('Length in m').fill('12');
      expect(await result.textContent()).toMatch(/^9 cartridges/);
      await tab.waitForURL(({ searchParams: q }) => q.get('width') === '20.5' && q.get('length') === '12');
      await tab.reload();
      await result.waitFor();
      expect(await tab.getByLabel('Joint width in mm').inputValue()).toBe('20.5');
      const field = tab.getByLabel('Length in m');
      for (const [typed, expected] of [
        ['none', /^“none” is not a number/],
        ['1.000', /^“1.000” can mean 1 or 1000/],
        ['-3', /above 0/],
      ] as const) {
        await field.fill(typed);
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await field.evaluate(describeField)).toMatch(expected);
        expect(await result.textContent()).toBe('Please check: Length in m.');
      }
      await field.fill('1 000');
      expect(await field.getAttribute('aria-invalid')).toBeNull();
      expect(await result.textContent()).toContain('for 1000');
      await tab.getByLabel('Allowance (%)').fill('150');
      expect(await tab.getByLabel('Allowance (%)').evaluate(describeField)).toContain('between 0 and 100');
      await tab.getByLabel('Joint width in mm').fill('31');
      expect(await tab.getByLabel('Joint width in mm').evaluate(describeField)).toMatch(/joints up to 30\smm wide/);
    }));

  it('asks for an area where a product covers one', () =>
    visit('/en-gb/products/vapour-control-membranes/calculator/?p=9524010000016', async (tab) => {
      await tab.getByLabel('Area in m²').fill('68.19');
      expect(await tab.locator('output').textContent()).toMatch(/^2 rolls \(150\sm²\) for 68\.19\sm²/);
      expect(await tab.getByLabel('Joint width in mm').isVisible()).toBe(false);
      await tab.getByLabel('Area in m²').fill('100 m²');
      expect(await tab.locator('output').textContent()).toMatch(/^2 rolls \(150\sm²\) for 100\sm²/);
    }));
});

/** Returns the accessible description of a field. */
function describeField(field: Element): string {
  const notes = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  return notes.map((id) => document.querySelector(`#${id}`)?.textContent ?? '').join(' ');
}

/** Counts the pages of a PDF. */
function pagesOf(pdf: Buffer): number {
  return (pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
}
