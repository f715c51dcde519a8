import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeServer } from '#client/testing/test-server.ts';
import { readAssortment } from './read-assortment.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'sortiment-assortment-'));
  await mkdir(path.join(root, 'lists'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(path.join(root, 'lists', name), text);
const read = () => readAssortment('lists', { root });

const YAML = `families:
  - id: membranes
    names: { de: Bahnen, en-gb: Membranes }
    descriptions:
      de: Was abdichtet.
    gtins:
      - 9524010000016 # DIFFRANA Vario 75
      - 0412345000018
  - id: tapes
    names: { de: Bänder }
    highlights: [[EN ISO 12572, EN 1931], temperaturbestaendigkeit]
    gtins: ['9524010000085']
`;

describe('a good list', () => {
  it('in YAML gives families and rows in order, leading zeros kept', async () => {
    await write('a.yaml', YAML);
    expect(await read()).toEqual({
      families: [
        { id: 'membranes', names: { de: 'Bahnen', 'en-gb': 'Membranes' }, descriptions: { de: 'Was abdichtet.' } },
        {
          id: 'tapes',
          names: { de: 'Bänder' },
          descriptions: {},
          highlights: [['EN ISO 12572', 'EN 1931'], ['temperaturbestaendigkeit']],
        },
      ],
      rows: [
        { gtin: '9524010000016', family: 'membranes' },
        { gtin: '0412345000018', family: 'membranes' },
        { gtin: '9524010000085', family: 'tapes' },
      ],
    });
  });

  it.each([
    ['commas', 'gtin,family\n9524010000016,membranes\n0412345000018,\n'],
    [
      'semicolons, a byte order mark, quotes and more columns',
      '\uFEFF"GTIN";"Name";"family"\r\n"9524010000016";"Band; breit";"membranes"\r\n\r\n 0412345000018 ;x;\r\n',
    ],
  ])('in CSV with %s', async (_, text) => {
    await write('a.csv', text);
    expect(await read()).toEqual({
      families: [{ id: 'membranes', names: {}, descriptions: {} }],
      rows: [
        { gtin: '9524010000016', family: 'membranes' },
        { gtin: '0412345000018', family: undefined },
      ],
    });
  });

  it('may lie in several files, a table naming the families that another describes', async () => {
    await write('a.yaml', YAML);
    await write('b.csv', 'gtin,family\n9524010000023,membranes\n');
    const { families, rows } = await read();
    expect(families.map(({ id }) => id)).toEqual(['membranes', 'tapes']);
    expect(rows.at(-1)).toEqual({ gtin: '9524010000023', family: 'membranes' });
  });

  it('may come from a function or be written as people write GTINs', async () => {
    const { rows } = await readAssortment(async () => [{ gtin: '(01)09524010000016' }, { gtin: '952 4010-00002.3' }], {
      root,
    });
    expect(rows.map(({ gtin }) => gtin)).toEqual(['9524010000016', '9524010000023']);
  });

  it('may come from an address', async () => {
    const server = await startFakeServer((request, response) => {
      if (request.url === '/list.csv') response.writeHead(200).end('gtin,family\n9524010000016,a\n');
      else if (request.url === '/list') response.writeHead(200, { 'content-type': 'application/yaml' }).end(YAML);
      else response.writeHead(404).end();
    });
    expect((await readAssortment(`${server.origin}/list.csv`, { root })).rows).toHaveLength(1);
    expect((await readAssortment(`${server.origin}/list`, { root })).rows).toHaveLength(3);
    await expect(readAssortment(`${server.origin}/nothing`, { root })).rejects.toMatchObject({
      code: 'ASSORTMENT_MISSING',
      message: expect.stringContaining('404'),
    });
    await server.close();
  });

  it('is the one that comes along', async () => {
    const { families, rows } = await readAssortment('content/assortment', {
      root: path.resolve(import.meta.dirname, '../../..'),
    });
    expect(rows).toHaveLength(24);
    for (const { names, descriptions, highlights = [] } of families) {
      expect(highlights.length).toBeGreaterThan(1);
      expect(Object.keys(names)).toEqual(['de', 'en', 'fr']);
      expect(Object.keys(descriptions)).toEqual(['de', 'en', 'fr']);
    }
  });
});

const failure = async () => {
  const error: unknown = await read().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error as Error & { code: string; hint: string };
};

describe('a list with mistakes names all of them, with file and line', () => {
  it('wrong check digits, letters, lost zeros, other packaging levels, products listed twice', async () => {
    await write(
      'a.yaml',
      `families:
  - id: membranes
    names: { de: Bahnen }
    gtins:
      - 9524010000016
      - 9524010000024
      - 952401000A016
      - 412345000018
      - 19524010000013
`,
    );
    await write('b.csv', 'gtin,family\n9524010000016,membranes\n952401000001,Breite Bänder\n');
    const { code, message } = await failure();
    expect(code).toBe('ASSORTMENT_INVALID');
    expect(message.replaceAll(path.sep, '/')).toMatchInlineSnapshot(`
      "The assortment has 6 problems:
        lists/b.csv:3 the family "Breite Bänder" must consist of lower-case letters, digits and hyphens. It is part of URLs; visitors see its names.
        lists/a.yaml:6 "9524010000024" has the check digit 4, but the other digits require 3. Compare it with the label; if only the last digit is wrong, it is 9524010000023.
        lists/a.yaml:7 "952401000A016" is not a GTIN: it contains characters other than digits. Write the 13 digits printed under the barcode.
        lists/a.yaml:9 "19524010000013" is a GTIN-14 of another packaging level (indicator 1). Use the GTIN-13 of the trade unit itself.
        lists/b.csv:2 9524010000016 is listed twice, first at lists/a.yaml:5. Remove one of them.
        lists/b.csv:3 "952401000001" has the check digit 1, but the other digits require 7. Compare it with the label; if only the last digit is wrong, it is 952401000007."
    `);
  });

  it('unknown keys, wrong languages, no list at all', async () => {
    await write(
      'a.yaml',
      `families:
  - id: membranes
    nmaes: { de: Bahnen }
    names:
      German: Bahnen
    higlights: [EN 1931]
    gtins: 9524010000016
  - id: tapes
    names: { de: Bänder }
    highlights:
      - norm: EN 1931
      - [EN 1931, '']
      - []
    gtins: [9524010000085]
famillies: []
`,
    );
    expect((await failure()).message.replaceAll(path.sep, '/')).toMatchInlineSnapshot(`
      "The assortment has 8 problems:
        lists/a.yaml:5 families[0].names.German is not a language such as "de" or "de-de"
        lists/a.yaml:7 families[0].gtins is not an array
        lists/a.yaml:3 families[0].nmaes is not a known option
        lists/a.yaml:6 families[0].higlights is not a known option
        lists/a.yaml:11 families[1].highlights[0] is neither a norm, such as EN 1931, nor a list of norms in brackets
        lists/a.yaml:12 families[1].highlights[1][1] is empty
        lists/a.yaml:13 families[1].highlights[2] is empty
        lists/a.yaml:15 famillies is not a known option"
    `);
  });

  it.each([
    ['a.yaml', 'families: [', /a\.yaml:1 is not valid YAML/],
    ['a.yaml', '- 9524010000016\n', /a\.yaml:1 the list is not an object|a\.yaml:1 the list/],
    ['a.csv', 'article,family\n9524010000016,a\n', /a\.csv:1 has no column "gtin"/],
    ['a.csv', 'gtin,family\n"9524010000016,a\n', /a\.csv:\d+ is not valid CSV/],
  ])('%s: %j', async (name, text, message) => {
    await write(name, text);
    expect((await failure()).message.replaceAll(path.sep, '/')).toMatch(message);
  });

  it('a family that is described twice', async () => {
    await write('a.yaml', YAML);
    await write('b.yaml', 'families:\n  - { id: tapes, names: { de: Bänder }, gtins: [9524010000092] }\n');
    expect((await failure()).message).toMatch(/b\.yaml:2 the family "tapes" is described twice, first at .*a\.yaml:9/);
  });

  it('no file, no folder, no product', async () => {
    expect(await failure()).toMatchObject({
      code: 'ASSORTMENT_MISSING',
      message: expect.stringContaining('contains no'),
    });
    await expect(readAssortment('nothing', { root })).rejects.toMatchObject({ code: 'ASSORTMENT_MISSING' });
    await write('a.yaml', 'families: []\n');
    expect(await failure()).toMatchObject({ code: 'ASSORTMENT_EMPTY' });
  });
});
