import { listComments } from '#contracts/core/index.ts';
import type { ImportRun } from './import-run.ts';
import { parentsFirst } from './parents-first.ts';
import { isRefusal, readRows } from './read-rows.ts';
import { sendRecords } from './send-records.ts';

const STATUSES = ['approve', 'hold', 'spam', 'trash'] as const;

/** Copies comments, each behind the one it answers. */
export async function importComments(run: ImportRun): Promise<void> {
  const found = [];
  const { report } = run;
  for (const status of STATUSES) {
    try {
      const query = { context: 'edit' as const, status };
      for await (const { rows } of readRows(run, listComments, query, { kind: 'comment', report })) found.push(...rows);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      report.leave('comment', `with the status "${status}" are not shown to this account`, [], 0);
    }
  }
  await sendRecords(parentsFirst(found), { ...run, kind: 'comment' });
  run.progress('comment', found.length);
}
