import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { createProduct, languages, writeSnapshot } from '#catalogue/testing/write-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { checkProductHeads } from './check-article-heads.ts';

const [A, B, C, HIDDEN] = ['9524010000016', '9524010000023', '9524010000030', '9524010000047'];

const root = mkdtempSync(path.join(tmpdir(), 'sortiment-heads-'));
afterAll(() => rmSync(root, { recursive: true }));

const overlays = path.join(root, 'content/products/de-de');
mkdirSync(overlays, { recursive: true });
writeFileSync(path.join(overlays, `${HIDDEN}.mdx`), '---\nseo: { noindex: true }\n---\n');
writeFileSync(
  path.join(overlays, `${C}.mdx`),
  "---\nseo: { title: '%%title%% %%sep%% %%sku%%', keyphrase: Fenster }\n---\n",
);

const settings = resolveSettings(
  root,
  defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
  }),
);
const product = (gtin: string, name: string, more: Parameters<typeof createProduct>[0] = {}) => ({
  language: 'de-de',
  record: createProduct({ gtin, name, language: 'de-de', item_number: `HW-${gtin}`, intro: 'Für Fugen.', ...more }),
});
const none = { intro: '', application_short: '' };

it('lists what search engines show badly of products, and nothing of what they do not show', () => {
  writeSnapshot(
    {
      records: { language: languages('de-de', 'en-gb') },
      products: [
        product(A, 'Band', none),
        product(B, 'Band', { intro: 'Lang '.repeat(40) }),
        product(C, `Fugenband ${'sehr '.repeat(20)}breit`),
        product(HIDDEN, 'Band', none),
        { ...product(A, 'Band', none), language: 'en-gb' },
      ],
    },
    root,
  );
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  const problems = checkProductHeads(settings, snapshot);
  snapshot.close();
  expect(problems).toEqual({
    pages: 3,
    undescribed: [`${A} de-de "Band"`],
    sameTitles: [`${A} de-de "Band", ${B} de-de "Band"`],
    overlong: [
      expect.stringContaining(`${B} de-de "Band": description of 200 characters`),
      expect.stringMatching(`^${C} de-de .*: title of \\d+ px, 600 are shown$`),
    ],
    badScores: [expect.stringMatching(`^${C} de-de .*: score \\d+ of 100 for "Fenster"; .*[Kk]eyphrase`)],
  });
});
