import { listCategories, listTags } from '#contracts/core/index.ts';
import type { ImportRun } from './import-run.ts';
import { parentsFirst } from './parents-first.ts';
import { isRefusal, readRows } from './read-rows.ts';
import { sendRecords } from './send-records.ts';

/** Copies categories, those above first, and tags. Who may not edit them sees all that is copied of them too. */
export async function importTerms(run: ImportRun): Promise<void> {
  const categories = await collect(run, listCategories, 'category');
  await sendRecords(parentsFirst(categories), { ...run, kind: 'category' });
  run.progress('category', categories.length);
  await sendRecords(await collect(run, listTags, 'tag'), { ...run, kind: 'tag' });
}

async function collect<R extends typeof listCategories | typeof listTags>(
  run: ImportRun,
  route: R,
  kind: 'category' | 'tag',
) {
  const read = async (context: 'edit' | 'view') => {
    const rows = [];
    for await (const page of readRows(run, route, { context } as never, { kind, report: run.report }))
      rows.push(...page.rows);
    return rows;
  };
  return read('edit').catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    return read('view');
  });
}
