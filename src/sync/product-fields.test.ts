import { afterEach, expect, it } from 'vitest';
import { defineConfig, resolveSettings, type OptionsInput } from '#config/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { formatReport } from './report/format-report.ts';
import { GTINS, startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

const FIELDS = {
  roll_weight: { type: 'number', label: 'Roll weight', source: 'rollWeight' },
  colour: { type: 'choice', label: 'Colour', values: { red: 'Red', blue: 'Blue' } },
} as const satisfies NonNullable<OptionsInput['product']>['fields'];

const [GTIN = ''] = GTINS;
let upstream: TestUpstream | undefined;
afterEach(() => upstream?.close());

async function start(fields: NonNullable<OptionsInput['product']>['fields'] = {}): Promise<TestUpstream> {
  upstream = await startTestUpstream({ product: { fields } });
  delete upstream.upstreams.publishing;
  upstream.validators = true;
  return upstream;
}

/** Adds fields to a record that the interface's document doesn't have. */
function change({ products }: TestUpstream, fields: Record<string, unknown>, key = `${GTIN}/de-de`): void {
  products.set(key, { ...products.get(key), ...fields } as ProductRecord);
}

const extraOf = (site: TestUpstream) => site.read((snapshot) => snapshot.product(GTIN, 'de-de')?.record.extra);

it('stores unknown fields and names the option that shows them', async () => {
  const site = await start();
  change(site, { colour: 'red', nested: { a: ['https://user:secret@host.example/'] } });
  const report = await site.sync();
  expect(extraOf(site)).toEqual({ colour: 'red', nested: { a: ['https://host.example/'] } });
  expect(formatReport(report)).toContain('declare it in `product.fields`');
  // A change of an undeclared field is none of the product.
  change(site, { colour: 'blue' });
  expect((await site.sync()).changes).toEqual([]);
});

it('leaves out unknown fields beyond a size, declared ones last', async () => {
  const site = await start(FIELDS);
  change(site, { long: 'x'.repeat(32_760), colour: 'red' });
  const report = await site.sync();
  expect(extraOf(site)).toEqual({ colour: 'red' });
  expect(formatReport(report)).toContain('makes the unknown fields longer than 32768 characters');
});

it('reports a change of a declared field under its name', async () => {
  const site = await start(FIELDS);
  change(site, { rollWeight: '7.5', colour: 'red' });
  const first = await site.sync();
  expect(formatReport(first)).not.toContain('not a field of the interface');
  change(site, { rollWeight: '8.0', stock: 5 });
  const report = await site.sync();
  expect(report.changes).toMatchObject([
    { id: GTIN, language: 'de-de', fields: [{ field: 'roll_weight', before: '7.5', after: '8.0' }] },
  ]);
  expect(formatReport(report)).toContain('roll_weight 7.5 -> 8.0');
  change(site, { stock: 4 });
  expect((await site.sync()).changes).toEqual([]);
});

it('names an invalid value with its product, field and expected type', async () => {
  const site = await start(FIELDS);
  change(site, { rollWeight: 'heavy', colour: 'green' });
  const text = formatReport(await site.sync());
  expect(text).toContain('rollWeight is not a number with a decimal point, so the value is left out');
  expect(text).toContain(`${GTIN} de-de: "heavy"`);
  expect(text).toContain('colour is not one of red, blue, so the value is left out');
  expect(text).toContain('correct `product.fields.roll_weight`');
  expect(text).not.toContain('New fields');
});

it('names a declared field whose control characters are removed', async () => {
  const site = await start(FIELDS);
  change(site, { colour: 're\u0000d' });
  const text = formatReport(await site.sync());
  expect(extraOf(site)).toEqual({ colour: 'red' });
  expect(text).toContain('colour contains control characters');
});

it('reads all products again after a change of the declaration, and then as before', async () => {
  const site = await start();
  change(site, { rollWeight: 7 });
  await site.sync();
  change(site, { rollWeight: 8 });
  await site.sync();
  const requests = async () => {
    const before = site.server.seen.length;
    const { changes } = await site.sync();
    return { count: site.server.seen.length - before, changes };
  };
  const { options, root } = site.settings;
  site.settings = resolveSettings(
    root,
    defineConfig({ ...options, documentKinds: [], product: { fields: FIELDS } }),
    {},
  );
  const { changes } = await requests();
  expect(changes).toMatchObject([{ id: GTIN, fields: [{ field: 'roll_weight', before: 7, after: 8 }] }]);
  expect(extraOf(site)).toEqual({ rollWeight: 8 });
  expect((await requests()).changes).toEqual([]);
});

it('stops before most products lose a declared field', async () => {
  const site = await start(FIELDS);
  const keys = [...site.products.keys()];
  for (const key of keys) change(site, { colour: 'red' }, key);
  await site.sync();
  for (const key of keys) change(site, { colour: undefined }, key);
  await expect(site.sync()).rejects.toThrow('products would lose their colour');
});
