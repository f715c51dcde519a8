import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { createUi } from '#i18n/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { loadSettings } from '../../cli/load-settings.ts';
import { describePageChrome } from './describe-page-chrome.ts';
import { describeProduct } from './describe-product.ts';
import { factFiles } from './read-facts.ts';
import { readLocalSite } from './read-local-site.ts';
import { readProducts } from './read-products.ts';
import { setPageChrome, setTexts } from './set-texts.ts';

/** A program: writes what the product pages of this project's snapshot show into a folder, for peers to read. */
const [, , folder = ''] = process.argv;
const { pageChromeFile, pathsFile, productsFile } = factFiles(folder);
mkdirSync(folder, { recursive: true });
const settings = await loadSettings();
const { options } = settings;
const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
const site = readLocalSite(settings, snapshot);
const uis = new Map(
  site.languages.map(({ code }) => [code, createUi(site.dictionaries, code, site.mainLanguage)] as const),
);
const pageChromes = [...uis].map(
  ([language, ui]) => [language, setPageChrome(describePageChrome(site, ui, options))] as const,
);
writeFileSync(pageChromeFile, JSON.stringify(Object.fromEntries(pageChromes)));

const address = new URL(settings.siteUrl);
const paths: string[] = [];
const lines = createWriteStream(productsFile);
for (const neighboured of readProducts(snapshot)) {
  const ui = uis.get(neighboured.product.pageLanguage);
  if (!ui) continue;
  const facts = setTexts(describeProduct(site, { ui, options, address }, neighboured), ui.lang);
  paths.push(facts.path);
  if (!lines.write(`${JSON.stringify(facts)}\n`)) await once(lines, 'drain');
}
snapshot.close();
writeFileSync(pathsFile, JSON.stringify(paths));
lines.end();
await once(lines, 'close');
