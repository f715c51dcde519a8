import { getUser, listUsers } from '#contracts/core/routes.ts';
import type { ImportRun } from './connect-site.ts';
import { isAccessError, readRows } from './read-rows.ts';
import { sendRecords } from './send-records.ts';

/** Copies the users that are visible to the account: all of them, or the published authors. */
export async function importPeople(run: ImportRun): Promise<void> {
  try {
    await importVisible(run, 'edit');
  } catch (error) {
    if (!isAccessError(error)) throw error;
    run.report.lose(
      'user',
      'logins, addresses and roles are not shown to this account: authors are imported by name only',
      [],
    );
    await importVisible(run, 'view');
  }
}

async function importVisible(run: ImportRun, context: 'edit' | 'view'): Promise<void> {
  for await (const { rows, total } of readRows(run, listUsers, { context }, { kind: 'user', report: run.report })) {
    for (const { id } of rows) run.authors.add(id);
    await sendRecords(rows, { ...run, kind: 'user' });
    run.progress('user', total);
  }
}

/** Copies authors that were on no list. Invisible ones are replaced by a placeholder. */
export async function importAuthors(run: ImportRun, ids: readonly number[]): Promise<void> {
  for (const id of new Set(ids)) {
    if (id <= 0 || run.authors.has(id)) continue;
    run.authors.add(id);
    const response = await run.client.call(getUser, { params: { id } });
    const name = `author-${id}`;
    const wire =
      response.kind === 'ok'
        ? response.value.body
        : { id, name, slug: name, url: '', description: '', link: run.source.site };
    run.report.found('user', 1);
    if (response.kind !== 'ok')
      run.report.lose('user', 'is not shown to this account: a placeholder user was created', [name]);
    await sendRecords([wire], { ...run, kind: 'user' });
  }
}
