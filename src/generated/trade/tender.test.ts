import { afterEach, expect, it } from 'vitest';
import { createTradeSite, readTrade, TAPE } from './testing/create-trade-site.ts';
import type { TestSite } from '../testing/test-generators.ts';

let site: TestSite;
afterEach(() => site.close());

it('writes heading, declared values with norms, make and unit of each product', async () => {
  const sheet = { name: 'Bahn', item_number: 'B-1', length: 50, width: 1.5, area: 75, attributes: [] };
  site = createTradeSite([TAPE, sheet, { name: 'Dose', item_number: 'C-1', trade_unit: 'Dose', length: null }]);
  const text = await readTrade(site, 'tender.txt');
  expect(text.startsWith('\uFEFFBÄNDER\r\n')).toBe(true);
  const [, tape = ''] = text.replaceAll('\r\n', '\n').split('\n\n\n');
  expect(tape).toBe(`Band "60" & <Co>
Klebt.
Für Bahnen:
- innen
- m2 & mehr
Technische Werte:
- Dicke (EN 1849-2): 0,35 mm
- Klasse: 4
- Kennzahl: 07
- Dehnung: 1.500
- Formel: =1+1
Format:
- Länge: 25 m
- Breite: 60 mm
Werkstoffe:
- Träger: PE
Fabrikat: Band "60" & <Co>, Haldenwerk GmbH, oder gleichwertig
Artikelnummer: 0815
GTIN: 9524010000016
Abrechnungseinheit: m`);
  expect(text).toContain('GTIN: 9524010000023\r\nAbrechnungseinheit: m²');
  expect(text).toContain('GTIN: 9524010000030\r\nAbrechnungseinheit: Dose');
});

it('leaves out products without a translation', async () => {
  site = createTradeSite([TAPE]);
  expect(await readTrade(site, 'tender.txt', 'en-gb')).toBe('\uFEFF');
});
