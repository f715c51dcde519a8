import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DemoHazards, DemoProducts } from '#origin/admin/seed/demo-content.ts';
import { readDemoContent } from '#origin/admin/seed/index.ts';
import { planMedia } from './generate-media.ts';
import { generateDemoMedia } from './index.ts';
import { pdfText, plainText } from './testing/pdf-text.ts';

const MAX_BYTES_PER_PRODUCT = 1_050_000;
const LINKS = ['datasheet', 'safety_datasheet', 'declaration_of_performance', 'image', 'banner'] as const;

/** Generous, because a busy machine renders slowly. */
const PATIENCE_MS = 180_000;

vi.setConfig({ testTimeout: PATIENCE_MS });

let folder: string;
let products: DemoProducts;
let hazards: DemoHazards;
let result: { files: number; bytes: number };
const progress: { done: number; total: number }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-media-'));
  ({ products, hazards } = await readDemoContent('content/demo'));
  if (!process.env['SORTIMENT_SOAK']) products = firstOfEachRange(products);
  result = await generateDemoMedia({ products, hazards, folder, onProgress: (step) => void progress.push(step) });
}, PATIENCE_MS);

afterAll(() => rm(folder, { recursive: true }));

/** With what shares their declarations: a start draws all of them, which the journeys look at. */
function firstOfEachRange(all: DemoProducts): DemoProducts {
  const ranges = new Map<string, string>();
  const chosen = Object.entries(all).filter(([, { 'de-de': record }]) => {
    const range = record?.name.split(' ')[0] ?? '';
    const declaration = record?.declaration_of_performance ?? '';
    if (ranges.has(range)) return declaration !== '' && ranges.get(range) === declaration;
    ranges.set(range, declaration);
    return true;
  });
  return Object.fromEntries(chosen);
}

function records() {
  return Object.values(products).flatMap((versions) => Object.values(versions));
}

/** The paths that the records link in one field, without those that say "none". */
function linked(field: (typeof LINKS)[number]): string[] {
  return [...new Set(records().flatMap((record) => record[field] || []))];
}

async function madeAgain(path: string): Promise<Buffer | undefined> {
  return planMedia(products, hazards)
    .find((task) => task.path === path)
    ?.make();
}

/** The title is kept as plain text in the metadata packet, the language and the pages in the objects. */
function readPdf(file: Buffer) {
  const text = file.toString('latin1');
  const packet = file.toString('utf8');
  return {
    title: /<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]*>([^<]*)</.exec(packet)?.[1],
    language: /\/Lang \(([\w-]+)\)/.exec(text)?.[1],
    author: /<dc:creator>\s*<rdf:Seq>\s*<rdf:li>([^<]*)</.exec(packet)?.[1],
    pages: [...text.matchAll(/\/Type \/Page\b/g)].length,
    tagged: /\/Marked true/.test(text),
  };
}

describe('generateDemoMedia', () => {
  it('writes every file that a record links, whole and nothing else', async () => {
    const paths = LINKS.flatMap(linked);
    for (const path of paths) expect((await stat(join(folder, path))).size, path).toBeGreaterThan(5000);
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = all.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(files).toHaveLength(paths.length + 10);
    expect(files.filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(result.files).toBe(files.length);
    expect(result.bytes).toBeLessThan(Object.keys(products).length * MAX_BYTES_PER_PRODUCT);
    expect(progress.at(-1)).toMatchObject({ done: files.length, total: files.length });
  });

  it('leaves files alone that are there', async () => {
    expect(await generateDemoMedia({ products, hazards, folder })).toEqual({ files: 0, bytes: 0 });
  });

  it.each([
    ['datasheet', { 'de-DE': 'Technisches Datenblatt', 'en-GB': 'Technical datasheet', 'fr-FR': 'Fiche technique' }, 2],
    [
      'safety_datasheet',
      { 'de-DE': 'Sicherheitsdatenblatt', 'en-GB': 'Safety data sheet', 'fr-FR': 'Fiche de données de sécurité' },
      3,
    ],
    [
      'declaration_of_performance',
      { 'de-DE': 'Leistungserklärung', 'en-GB': 'Declaration of performance', 'fr-FR': 'Déclaration des performances' },
      3,
    ],
  ] as const)('sets each %s in the language of its folder', async (field, kinds, mostPages) => {
    for (const path of linked(field)) {
      const file = await readFile(join(folder, path));
      expect(file.subarray(0, 5).toString()).toBe('%PDF-');
      const { title, language, author, pages, tagged } = readPdf(file);
      expect(language?.toLowerCase(), path).toBe(path.split('/')[1]);
      expect(title, path).toContain(kinds[language as keyof typeof kinds]);
      expect(author).toBe('Haldenwerk');
      expect(tagged).toBe(true);
      expect(pages, path).toBeGreaterThanOrEqual(1);
      expect(pages, path).toBeLessThanOrEqual(mostPages);
    }
  });

  it('gives back every value of the records from the text of each document', async () => {
    const texts = new Map<string, string>();
    for (const path of [...linked('datasheet'), ...linked('declaration_of_performance'), ...linked('safety_datasheet')])
      texts.set(path, await pdfText(await readFile(join(folder, path))));
    const missing: string[] = [];
    const expectIn = (path: string | null | undefined, values: readonly (string | null | undefined)[]): void => {
      const text = path ? texts.get(path) : '';
      if (path)
        missing.push(
          ...values.filter((value) => !text?.includes(plainText(value ?? ''))).map((value) => `${path}: ${value}`),
        );
    };
    const declarations = new Set<string>();
    for (const record of records()) {
      const { attributes, materials } = record;
      const declared = (attributes ?? []).flatMap(({ name, norm, value }) => [name, norm, value]);
      const parts = (materials ?? []).flatMap(({ name, value }) => [name, value]);
      expectIn(record.datasheet, [record.name, record.item_number, record.gtin, record.intro, ...declared, ...parts]);
      expectIn(record.safety_datasheet, [record.name, record.item_number]);
      // Its table has the values of the first product that it covers.
      const declaration = record.declaration_of_performance ?? '';
      const measured = (attributes ?? [])
        .filter(({ norm }) => norm)
        .flatMap(({ name, norm, value }) => [name, norm, value]);
      expectIn(declaration, [record.name, record.item_number, ...(declarations.has(declaration) ? [] : measured)]);
      declarations.add(declaration);
    }
    expect(missing).toEqual([]);
    for (const [path, text] of texts) expect(text, path).not.toMatch(/[\0\uFFFD]/);
  });

  it('draws pictures of the stated sizes', async () => {
    const sizes = [
      [linked('image'), 'png', 1600, 1600],
      [linked('banner'), 'jpeg', 1600, 500],
      [(await readdir(join(folder, 'media/motifs'))).map((name) => `media/motifs/${name}`), 'jpeg', 1600, 1067],
    ] as const;
    for (const [paths, format, width, height] of sizes) {
      for (const path of paths) {
        const { info } = await sharp(join(folder, path)).raw().toBuffer({ resolveWithObject: true });
        expect([info.width, info.height], path).toEqual([width, height]);
        expect((await sharp(join(folder, path)).metadata()).format).toBe(format);
      }
    }
  });

  it.each(['media/fr-fr/dop/dop-hw-0110-fr.pdf', 'media/img/hw-20160.png'])(
    'makes the same bytes of %s again',
    async (path) => {
      const again = await madeAgain(path);
      expect(again?.equals(await readFile(join(folder, path)))).toBe(true);
    },
  );

  it('covers all products that share a declaration', async () => {
    const { title } = readPdf(await readFile(join(folder, 'media/en-gb/dop/dop-hw-0110-en.pdf')));
    expect(title).toBe('Declaration of performance DOP-HW-0110 – DIFFRANA Vario 75, DIFFRANA Vario 150');
  });
});
