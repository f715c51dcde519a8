import { type Media, listMedia } from '#contracts/core/index.ts';
import { fetchFile } from './fetch-file.ts';
import { importAuthors } from './import-people.ts';
import type { ImportRun } from './import-run.ts';
import { isRefusal, readRows } from './read-rows.ts';
import { nameOf, sendRecords, type Complete } from './send-records.ts';

/** Pictures are decoded at the other end, a few at a time. */
const BATCH = 4;

/** Copies media with their files as they were uploaded. */
export async function importMedia(run: ImportRun): Promise<void> {
  const complete: Complete<Media> = async (row, isKnown) => {
    if (isKnown) return {};
    const fetched = await fetchFile(run, row);
    if ('file' in fetched) return { file: fetched.file };
    run.report.leave('media', fetched.problem, [nameOf(row)]);
    return undefined;
  };
  for (const status of ['inherit', 'private', 'trash'] as const) {
    try {
      const query = { context: 'edit' as const, status: [status] };
      for await (const { rows, total } of readRows(run, listMedia, query, { kind: 'media', report: run.report })) {
        await importAuthors(
          run,
          rows.map(({ author }) => author),
        );
        await sendRecords(rows, { ...run, kind: 'media', batch: BATCH, complete });
        run.progress('media', total);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      run.report.leave('media', `with the status "${status}" are not shown to this account`, [], 0);
    }
  }
}
