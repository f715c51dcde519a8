import { inflateRawSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { afterEach, expect, it } from 'vitest';
import { feeds } from '../feeds/feeds.ts';
import { openTestSite, type TestSite } from '../testing/test-generators.ts';
import { createTradeSite, TAPE, TRADE_GTINS, tradeContent } from './testing/create-trade-site.ts';
import { trade } from './trade.ts';

let site: TestSite;
afterEach(() => site.close());

const FILE = 'feeds/de-de/products.xlsx';

it('writes a row per product with declared values unchanged', async () => {
  site = createTradeSite([TAPE, { item_number: '' }], { price: { show: 'net' } });
  await site.update([feeds, trade]);
  const { rows, sheet } = readXlsx(site.bytesOf(FILE) ?? new Uint8Array());
  const [head = [], without = [], row = []] = rows;
  const cell = (name: string) => row[head.indexOf(name)];
  expect(rows).toHaveLength(3);
  expect(without[1]).toBe(TRADE_GTINS[1]);
  expect(cell('Artikelnummer')).toBe('0815');
  expect(cell('GTIN')).toBe(TRADE_GTINS[0]);
  expect(cell('Produkt')).toBe('Band "60" & <Co>');
  expect(cell('Produktgruppe')).toBe('Bänder');
  expect(cell('Listenpreis ohne MwSt. (EUR)')).toBe(24.9);
  expect(cell('Länge (m)')).toBe(25);
  expect(cell('Breite (m)')).toBe(0.06);
  expect(cell('Verpackungseinheit: Anzahl Handelseinheiten')).toBe(10);
  expect(cell('Anwendung')).toBe('Für Bahnen:\n- innen\n- m2 & mehr');
  expect(cell('Dicke (EN 1849-2)')).toBe('0,35 mm');
  expect(cell('Klasse')).toBe(4);
  expect(cell('Kennzahl')).toBe('07');
  expect(cell('Dehnung')).toBe('1.500');
  expect(cell('Formel')).toBe('=1+1');
  expect(sheet).toMatch(/<pane [^>]*ySplit="1"[^>]*state="frozen"/);
  expect(sheet).toMatch(/<col [^>]*width="40"/);
  expect(sheet).not.toContain('<f>');
});

it('writes the same bytes for the same products, and only what has changed', async () => {
  site = createTradeSite([TAPE, {}], { price: { show: 'net' } });
  await site.update([feeds, trade]);
  const first = site.bytesOf(FILE);
  // ZIP files have times with a resolution of two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await site.update([feeds, trade], { fromScratch: true });
  expect(site.bytesOf(FILE)).toEqual(first);
  await site.update([feeds, trade]);
  expect(site.written).not.toContain(FILE);
  site.write(tradeContent([{ ...TAPE, price: '25.90' }, {}]));
  await site.update([feeds, trade]);
  expect(site.written).toContain(FILE);
  const { rows } = readXlsx(site.bytesOf(FILE) ?? new Uint8Array());
  expect(rows.flat()).toContain(25.9);
});

it('leaves out prices that the site hides, and every file without feeds', async () => {
  site = createTradeSite([TAPE]);
  await site.update([feeds, trade]);
  expect(readXlsx(site.bytesOf(FILE) ?? new Uint8Array()).rows.flat()).not.toContain(24.9);
  site.close();
  site = createTradeSite([TAPE], { shops: { feeds: false } });
  await site.update([feeds, trade]);
  expect([...site.files.keys()]).toEqual([]);
  site.close();
  site = createTradeSite([TAPE], { shops: { trade: [] } });
  await site.update([feeds, trade]);
  expect(site.files.has(FILE)).toBe(false);
});

it('shortens a text that a cell cannot hold, and says so', async () => {
  const attributes = [{ name: 'x'.repeat(40_000), norm: '', value: '1' }];
  site = createTradeSite([{ ...TAPE, attributes, intro: 'x'.repeat(40_000) }]);
  await site.update([feeds, trade]);
  const { rows } = readXlsx(site.bytesOf(FILE) ?? new Uint8Array());
  expect(Math.max(...rows.flat().map((value) => String(value).length))).toBe(32_767);
  expect(site.warnings.slice(0, 1)).toEqual([
    `/${FILE}: ${TRADE_GTINS[0]}: a text of more than 32767 characters, which is cut off. Shorten it at its source.`,
  ]);
});

it('has a column for each kind of documents', async () => {
  const url = (name: string) => `https://media.example/${name}.dwg`;
  const file = { kind: 'document' as const, mimeType: 'image/vnd.dwg', bytes: 5, reachable: true };
  const documents = [...['a', 'b'].map((name) => ({ kind: 'cad', url: url(name) })), { kind: 'paint', url: url('c') }];
  const content = tradeContent([{ ...TAPE, documents }]);
  const assets = ['a', 'b', 'c'].map((name) => ({
    ...file,
    url: url(name),
    file: `${name}.dwg`,
    digest: name.repeat(64),
  }));
  site = openTestSite(
    { ...content, assets: [...(content.assets ?? []), ...assets] },
    {
      documentKinds: [{ key: 'cad' }, { key: 'epd' }, { key: 'paint', labels: { de: 'Farbkarte' }, types: ['dwg'] }],
      shops: { trade: ['xlsx'] },
    },
  );
  await site.update([feeds, trade]);
  const { rows } = readXlsx(site.bytesOf(FILE) ?? new Uint8Array());
  const [head = [], row = []] = rows;
  const cell = (name: string) => row[head.indexOf(name)];
  expect(cell('Datenblatt')).toBe('https://media.example/sheet.pdf');
  expect(cell('CAD-Zeichnung')).toMatch(/^https:\S+\/aaaaaaaa-a\.dwg\nhttps:\S+\/bbbbbbbb-b\.dwg$/);
  expect(cell('Farbkarte')).toMatch(/\/cccccccc-c\.dwg$/);
  expect(head).toContain('Umweltproduktdeklaration (EPD)');
  expect(cell('Umweltproduktdeklaration (EPD)')).toBeUndefined();
});

/** Reads the first sheet with another ZIP and XML reader than the one that wrote it. */
function readXlsx(bytes: Uint8Array): { sheet: string; rows: (string | number | undefined)[][] } {
  const files = unzip(Buffer.from(bytes));
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
    isArray: (name) => ['row', 'c', 'si'].includes(name),
  });
  type Cell = { '@_r': string; '@_t'?: string; v: string };
  const parse = (file: string) => parser.parse(files.get(file) ?? '') as Record<string, never>;
  const { sst } = parse('xl/sharedStrings.xml') as { sst?: { si: { t: string | { '#text': string } }[] } };
  const strings = (sst?.si ?? []).map(({ t }) => (typeof t === 'string' ? t : t['#text']));
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  const { worksheet } = parser.parse(sheet) as { worksheet: { sheetData: { row: { c?: Cell[] }[] } } };
  const rows = worksheet.sheetData.row.map(({ c: cells = [] }) => {
    const row: (string | number | undefined)[] = [];
    for (const { '@_r': address, '@_t': type, v } of cells)
      row[columnOf(address)] = type === 's' ? strings[Number(v)] : Number(v);
    return row;
  });
  return { sheet, rows };
}

/** `AB7` -> 27. */
function columnOf(address: string): number {
  return [...address.replace(/\d+/, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(zip.length - 6);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [size, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + size);
    const content = zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed);
    files.set(zip.toString('utf8', at + 46, at + 46 + nameLength), content.toString());
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
