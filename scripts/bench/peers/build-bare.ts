import { mkdirSync, writeFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { productPage } from './product-page.ts';
import { readFacts, readPageChromes } from './read-facts.ts';

/** A program: writes the product pages with as little as can be. No generator of sites is faster in Node. */
enableCompileCache();
const [, , factsFolder = '', outFolder = ''] = process.argv;
const pageChromes = readPageChromes(factsFolder);
for (const read of readFacts(factsFolder)) {
  const product = read();
  const pageChrome = pageChromes[product.language];
  if (!pageChrome) throw new Error(`There is no page chrome for ${product.language}.`);
  const folder = path.join(outFolder, product.path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), productPage(pageChrome, product));
}
