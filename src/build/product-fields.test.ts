import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { writeTestCatalogue } from './testing/test-catalogue.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const DOCS = readFileSync(path.resolve(import.meta.dirname, '../../content/docs/make-it-yours.md'), 'utf8');
/** The fields in the documentation. */
const [, DECLARED = ''] = /^```ts\n(product: \{\n {2}fields: .*?)^```/ms.exec(DOCS) ?? [];
const [, OVERLAY = ''] = /^```mdx\n(---\nfields: .*?)^```/ms.exec(DOCS) ?? [];

const ENDPOINT = `import { getEntry } from 'astro:content';

export const GET = async () => Response.json((await getEntry('products', 'de-de/GTIN'))?.data);
`;

let project: ProjectCopy;
/** GTINs of the family `tapes`, in order. */
let gtins: string[];

const file = (name: string): string => path.join(project.folder, name);
const read = (name: string): string => readFileSync(file(`dist/${name}`), 'utf8');

function write(name: string, content: string): void {
  mkdirSync(path.dirname(file(name)), { recursive: true });
  writeFileSync(file(name), content);
}

function open(): DatabaseSync {
  return new DatabaseSync(file('.sortiment/snapshot.sqlite'));
}

/** Stores fields of a product as a sync does. */
function setExtra(gtin: string | undefined, extra: object): void {
  const database = open();
  database
    .prepare(
      `UPDATE products SET record = json_set(record, '$.extra', json(?)), digest = hex(randomblob(8)) WHERE gtin = ?`,
    )
    .run(JSON.stringify(extra), gtin ?? '');
  database.exec(`UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'digest'`);
  database.close();
}

async function build(): Promise<string> {
  const { code, stdout, stderr } = await project.run('build', [], { SORTIMENT_OFFLINE: '1' });
  expect(code, stdout + stderr).toBe(0);
  return stdout + stderr;
}

function page(gtin: string | undefined, language = 'de-de'): string {
  const [found = ''] = globSync(`${language}/p/*${gtin}/index.html`, { cwd: file('dist') });
  return read(found);
}

let log: string;

beforeAll(async () => {
  project = await copyProject();
  await project.configure({ shareImages: false, shops: { trade: ['xlsx'] }, imperial: ['en-gb'] });
  const config = readFileSync(file('src/sortiment.config.ts'), 'utf8');
  writeFileSync(
    file('src/sortiment.config.ts'),
    config.replace(/^ *mainLanguage: /m, (found) => `${DECLARED}${found}`),
  );
  await writeTestCatalogue(project.folder, 0.2);
  const database = open();
  const rows = database
    .prepare(`SELECT DISTINCT gtin FROM products WHERE family = 'tapes' AND state = 'present' ORDER BY position`)
    .all();
  database.close();
  gtins = rows.map(({ gtin }) => String(gtin));
  const [first = '', second, third, fourth] = gtins;
  setExtra(first, { rollWeight: '7.50', colour: 'Weiß', backing: 'Glasfaser', secret: 'not-declared' });
  setExtra(second, { rollWeight: 12, colour: 'red' });
  setExtra(third, { rollWeight: 'schwer', colour: 'gelb' });
  write(`content/products/${fourth}.mdx`, OVERLAY.replace('red', 'white'));
  write(`content/products/de-de/${fourth}.mdx`, `---\nfields: { colour: red, colr: red }\n---\n`);
  write('src/pages/one.json.ts', ENDPOINT.replace('GTIN', first));
  log = await build();
});
afterAll(() => project.remove());

it('shows the fields of the documentation on the page, in the language of the page', () => {
  const row = (label: string, value: string) => new RegExp(`<th scope="row">${label}</th>\\s*<td[^>]*>${value}</td>`);
  const [first, , , fourth] = gtins;
  const german = page(first);
  expect(german).toContain('Weitere Angaben');
  expect(german).toMatch(row('Rollengewicht', '7,5\\s?kg'));
  expect(german).toMatch(row('Farbe', 'Weiß'));
  expect(german).toMatch(row('Träger', 'Glasfaser'));
  const english = page(first, 'en-gb');
  expect(english).toMatch(row('Roll weight', '7.5\\s?kg \\(16.53\\s?lb\\)'));
  expect(english).toMatch(row('Colour', 'White'));
  // Overlays for the language take precedence.
  expect(page(fourth)).toMatch(row('Farbe', 'Rot'));
  expect(page(fourth, 'en-gb')).toMatch(row('Colour', 'White'));
  expect(page(fourth)).toMatch(row('Träger', 'Vlies'));
});

it('shows them in structured data and Markdown', () => {
  const [first] = gtins;
  expect(page(first)).toContain('{"@type":"PropertyValue","name":"Rollengewicht","value":7.5,"unitText":"kg"}');
  expect(page(first)).toContain('{"@type":"PropertyValue","name":"Farbe","value":"Weiß"}');
  const [markdown = ''] = globSync(`de-de/p/*${first}/index.html.md`, { cwd: file('dist') });
  expect(read(markdown)).toMatch(
    /### Weitere Angaben\n\n- Rollengewicht: 7,5\s?kg\n- Farbe: Weiß\n- Träger: Glasfaser/,
  );
});

it('shows them as columns of lists, in the comparison and as filters with pages', () => {
  const list = read('de-de/products/tapes/index.html');
  expect(list).toMatch(/<th scope="col">\s*Rollengewicht\s*<small>kg<\/small>/);
  expect(list).toMatch(/data-label="Farbe"[^>]*>\s*Weiß/);
  expect(list).toMatch(/data-label="Träger"[^>]*>\s*Glasfaser/);
  const compared = read('de-de/products/tapes/compare/index.html');
  for (const text of ['Rollengewicht', 'Farbe', 'Träger', 'Glasfaser']) expect(compared).toContain(text);
  const table = JSON.parse(read('de-de/products/tapes/facets.json')) as { columns: { id: string; kind: string }[] };
  const kinds = Object.fromEntries(table.columns.map(({ id, kind }) => [id, kind]));
  expect(kinds).toMatchObject({ 'roll-weight': 'number', colour: 'choice', backing: 'text' });
  // A value of one product links to its page.
  expect(read('de-de/products/tapes/colour/red/index.html')).toContain('Rot');
  expect(read('en-gb/products/tapes/colour/white/index.html')).toContain('White');
  expect(list).toContain('data-column="roll-weight"');
});

it('finds them by the search', () => {
  const files = globSync('**/*search*/**/*.json', { cwd: file('dist') }).filter((name) => name.includes('de-de'));
  const words = files.map((name) => read(name)).join('');
  expect(words).toMatch(/"glasfaser"/i);
});

it('publishes them in feeds, without those that are not declared', () => {
  const [first, second, third] = gtins;
  const [head = '', ...lines] = read('feeds/de-de/products.csv').split('\r\n');
  expect(head).toMatch(/"fields.roll_weight","fields.colour","fields.backing"$/);
  expect(lines.find((line) => line.includes(`"${first}"`))).toMatch(/,7.5,"white","Glasfaser"$/);
  const records = read('feeds/de-de/products.ndjson').trim().split('\n');
  const fieldsOf = (gtin = '') =>
    (JSON.parse(records.find((line) => line.includes(`"gtin":"${gtin}"`)) ?? '{}') as { fields?: unknown }).fields;
  expect(fieldsOf(second)).toEqual({ roll_weight: 12, colour: 'red', backing: null });
  expect(fieldsOf(third)).toEqual({ roll_weight: null, colour: null, backing: null });
  const schema = JSON.parse(read('feeds/product.schema.json')) as { properties: { fields: { properties: object } } };
  expect(schema.properties.fields.properties).toMatchObject({
    roll_weight: { type: ['number', 'null'], unit: 'kg' },
    colour: { enum: ['white', 'red', null] },
  });
  const xlsx = unzipSync(readFileSync(file('dist/feeds/de-de/products.xlsx')));
  const text = Object.values(xlsx)
    .map((bytes) => strFromU8(bytes))
    .join('');
  for (const found of ['Rollengewicht (kg)', 'Weiß', 'Glasfaser']) expect(text).toContain(found);
  expect(read('de-de/data/index.html')).toMatch(/fields.roll_weight<\/code>\s*<\/th>\s*<td>Rollengewicht/);
  const published = globSync('{feeds,api,de-de}/**/*.{html,json,csv,ndjson,md}', { cwd: file('dist') });
  expect(published.filter((name) => read(name).includes('not-declared'))).toEqual([]);
});

it('gives pages of the project typed values and everything else', () => {
  expect(JSON.parse(read('one.json'))).toMatchObject({
    fields: { roll_weight: { value: 7.5, text: '7.50' }, colour: 'white', backing: 'Glasfaser' },
    extra: { secret: 'not-declared' },
  });
});

it('leaves out invalid values, and names product, field, value and type', () => {
  const [, , third, fourth] = gtins;
  expect(log).toContain('roll_weight is not a number with a decimal point, so the value is left out');
  expect(log).toContain(`${third} de-de: "schwer"`);
  expect(log).toContain('colour is not one of white, red, so the value is left out');
  expect(log).toContain(`${third} de-de: "gelb"`);
  expect(log).toContain(`content/products/de-de/${fourth}.mdx: \`fields.colr\` isn't declared`);
  expect(page(third)).not.toContain('Weitere Angaben');
});

it('renders its pages again after a change of a value or of a declaration', async () => {
  const [first] = gtins;
  setExtra(first, { rollWeight: '8.25', colour: 'Weiß' });
  expect(await build()).toContain('cached bundle');
  expect(page(first)).toMatch(/8,25\s?kg/);
  expect(page(first)).not.toContain('Glasfaser');
  expect(read('de-de/products/tapes/index.html')).toMatch(/8,25\s?kg/);
  expect(read('feeds/de-de/products.csv')).toMatch(/,8.25,"white",(?:null)?\r\n/);
  const config = readFileSync(file('src/sortiment.config.ts'), 'utf8');
  writeFileSync(file('src/sortiment.config.ts'), config.replace('Rollengewicht', 'Gewicht der Rolle'));
  await build();
  expect(page(first)).toContain('Gewicht der Rolle');
  expect(read('de-de/products/tapes/index.html')).toContain('Gewicht der Rolle');
  expect(existsSync(file('dist/de-de/products/tapes/colour/red/index.html'))).toBe(true);
});

it("names invalid values once if Astro's configuration has another base path", async () => {
  const config = readFileSync(file('astro.config.mjs'), 'utf8');
  writeFileSync(file('astro.config.mjs'), config.replace('integrations:', `base: '/shop',\n  integrations:`));
  rmSync(file('.sortiment/build'), { recursive: true });
  expect((await build()).match(/Invalid values of product.fields/g)).toHaveLength(1);
});
