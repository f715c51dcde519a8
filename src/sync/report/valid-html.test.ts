import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { validateHtml } from '#files/testing/validate-html.ts';
import { reportFolder, writeReport } from './write-report.ts';
import { measureTranslations } from './measure-translations.ts';
import { renderCompleteness } from './write-report.ts';
import { createReport, HOSTILE, HOSTILE_REPORT } from './testing/fixtures.ts';

it('the report of a run is valid HTML', async () => {
  const options = defineConfig({
    site: { name: 'Halden & Werk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
  });
  const settings = resolveSettings(temporaryFolder(), options, {});
  for (const report of [HOSTILE_REPORT, createReport()]) {
    await writeReport(settings, { report }, { logger: { warn: expect.unreachable } });
    const page = readFileSync(path.join(reportFolder(settings), 'index.html'), 'utf8');
    expect(await validateHtml(page)).toEqual([]);
  }
});

it('the page of translations is valid HTML', async () => {
  const record = { gtin: '9524010000016', name: HOSTILE, availability: 'available' as const };
  const rows = ['de-de', 'en-gb'].map((language) => ({
    gtin: record.gtin,
    language,
    record: { ...record, language, intro: language === 'de-de' ? 'Text' : '' },
  }));
  const report = measureTranslations(rows, { mainLanguage: 'de-de', languages: ['de-de', 'en-gb'] });
  expect(await validateHtml(await renderCompleteness('Halden & Werk', report))).toEqual([]);
});
