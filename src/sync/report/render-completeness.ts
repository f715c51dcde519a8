import { html } from 'hono/html';
import type { TranslationGap, TranslationReport } from './measure-translations.ts';
import { renderPage, renderSection } from './render-page.ts';
import { percentOf } from './percent-of.ts';
import { tableOf, type ReportSection } from './report-section.ts';

const MAX_PRODUCTS = 1000;
const COMPLETE = '✓';

/** For the owner: which product says what in which language, worst first; nothing of it is public. */
export async function renderCompleteness(site: string, report: TranslationReport): Promise<string> {
  const { mainLanguage, products, languages, translated } = report;
  const title = `Translations of ${site}`;
  const header = html`<header>
    <h1>Translations of <bdi>${site}</bdi></h1>
    <p>
      ${products} products, measured by ${mainLanguage}: what is filled there and isn't in another language is missing.
    </p>
    <p>${languages.map((code) => `${code}: ${percentOf(translated[code] ?? 0, products)} translated`).join(' · ')}</p>
  </header>`;
  return renderPage(title, header, [fieldSection(report), productSection(report)].map(renderSection));
}

function fieldSection({ mainLanguage, languages, fields }: TranslationReport): ReportSection {
  const table = tableOf(['Field', mainLanguage, ...languages], fields, ({ field, inMain, filled }) => [
    field,
    inMain,
    ...languages.map((code) => percentOf(filled[code] ?? 0, inMain)),
  ]);
  const paragraphs = table ? [] : ['There is nothing to translate.'];
  return { id: 'fields', title: 'By field', tone: 'plain', paragraphs, table };
}

/** A row for each product that lacks something, a column for each language. */
function productSection({ languages, gaps, gapCount }: TranslationReport): ReportSection {
  const byProduct = [...Map.groupBy(gaps, ({ gtin }) => gtin).values()];
  const table = tableOf(
    ['GTIN', 'Name', ...languages],
    byProduct,
    (rows) => [rows[0]?.gtin ?? '', rows[0]?.name ?? '', ...languages.map((code) => wordCell(rows, code))],
    MAX_PRODUCTS,
  );
  const more = gapCount - gaps.length;
  const paragraphs = [
    table
      ? `${COMPLETE} stands for complete; else what is missing is named.`
      : 'Every product is complete in every language.',
    ...(more > 0 ? [`${more} more gaps are not listed.`] : []),
  ];
  return { id: 'products', title: 'By product', tone: 'plain', paragraphs, table };
}

function wordCell(gaps: readonly TranslationGap[], code: string): string {
  const gap = gaps.find(({ language }) => language === code);
  if (!gap) return COMPLETE;
  return gap.state === 'untranslated' ? 'not translated' : gap.missing.join(', ');
}
