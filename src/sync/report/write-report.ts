import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '#config/index.ts';
import { isSortimentError, wordSystemError } from '#contracts/index.ts';
import { replaceFile } from '#files/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { SyncLogger } from '../sync-options.ts';
import { measureTranslations, type TranslationReport } from './measure-translations.ts';
import { renderCompleteness } from './render-completeness.ts';
import { renderHtml } from './render-html.ts';
import { renderMarkdown } from './render-markdown.ts';
import { describeRun, type ReportDocument, type RunOutcome } from './report-document.ts';
import { extendHistory, readHistory } from './run-history.ts';

/** Its name in the folder of reports: a `TranslationReport`. */
export const COMPLETENESS_NAME = 'completeness.json';

/**
 * Where the reports of the last run lie: `report.json`, `report.md`, `index.html`, `history.json` of all runs, and how
 * complete the translations are, `completeness.html` and `completeness.json`.
 */
export function reportFolder({ home }: Pick<Settings, 'home'>): string {
  return path.join(home, 'report');
}

/**
 * Writes the reports of a run that has ended, well or not. Call it while the snapshot is still locked, so that no other
 * run writes at the same time. Never throws: what goes wrong here is a warning and no reason to fail a run.
 * @returns The page; undefined when the reports could not be written.
 */
export async function writeReport(
  settings: Settings,
  outcome: RunOutcome,
  { logger }: { logger: Pick<SyncLogger, 'warn'> },
): Promise<string | undefined> {
  const folder = reportFolder(settings);
  const page = path.join(folder, 'index.html');
  try {
    const site = settings.options.site.name;
    const document = describeRun(outcome, { site, ...readCatalogue(settings) });
    const historyFile = path.join(folder, 'history.json');
    const history = extendHistory(readHistory(await readText(historyFile)), document);
    await replaceFile(historyFile, `${JSON.stringify(history)}\n`);
    await replaceFile(path.join(folder, 'report.json'), `${JSON.stringify(flatten(document), undefined, 2)}\n`);
    await replaceFile(path.join(folder, 'report.md'), renderMarkdown(document));
    await replaceFile(page, await renderHtml(document, history));
    const { translations } = document;
    if (!translations || translations.languages.length === 0) return page;
    await replaceFile(path.join(folder, COMPLETENESS_NAME), `${JSON.stringify(translations, undefined, 2)}\n`);
    await replaceFile(path.join(folder, 'completeness.html'), await renderCompleteness(site, translations));
    return page;
  } catch (error) {
    logger.warn(
      `The report could not be written to ${folder}: ${wordFailure(error)}. The catalogue is not affected; make room there, or make the folder writable.`,
    );
    return undefined;
  }
}

/** The members of the run's report beside what is said about it. */
function flatten({ run, ...rest }: ReportDocument): object {
  return { ...rest, ...run };
}

/** The catalogue as it is after the run; nothing of it before the first one that went well. */
function readCatalogue({ snapshotPath, options }: Settings): {
  digest: string | undefined;
  translations: TranslationReport | undefined;
} {
  let snapshot;
  try {
    snapshot = openSnapshot(snapshotPath, { readOnly: true });
  } catch (error) {
    if (isSortimentError(error)) return { digest: undefined, translations: undefined };
    throw error;
  }
  try {
    const listed = snapshot.languages().map(({ code }) => code);
    const languages = listed.filter((code) => options.languages === 'all' || options.languages.includes(code));
    const { mainLanguage } = options;
    return {
      digest: snapshot.digest(),
      translations: measureTranslations(snapshot.products(), { mainLanguage, languages }),
    };
  } finally {
    snapshot.close();
  }
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

function wordFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unexpected error';
  return wordSystemError(error)?.why ?? code;
}
