import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

const subject = z.looseObject({ kind: z.string(), id: z.string() });
const issues = z
  .array(z.looseObject({ kind: z.string(), sample: z.looseObject({ id: z.string(), wire: z.string().optional() }) }))
  .optional();
const report = z.looseObject({
  changes: z.array(subject).optional(),
  problems: issues,
  warnings: issues,
});

/**
 * Takes what a publishing site has withdrawn in a run out of the reports of earlier ones: they name texts, and show how
 * these have changed. That there were changes stays.
 * @param at The moment of the run.
 */
export function forgetWithdrawn(database: DatabaseSync, at: string): void {
  const rows = database.prepare(`SELECT kind, id FROM main.records WHERE state = 'gone' AND changed_at = ?`).all(at);
  if (rows.length === 0) return;
  const gone = new Set(rows.map(({ kind, id }) => `${String(kind)} ${String(id)}`));
  const isGone = ({ kind, id }: z.output<typeof subject>) => gone.has(`${kind} ${id}`);
  const save = database.prepare('UPDATE main.runs SET report = ? WHERE id = ?');
  for (const run of database.prepare('SELECT id, report FROM main.runs WHERE report IS NOT NULL').all()) {
    const read = report.safeParse(JSON.parse(String(run['report']))).data;
    if (!read) continue;
    const changes = read.changes?.map((change) => (isGone(change) ? { ...change, name: '', fields: [] } : change));
    const withoutThem = (found: z.output<typeof issues>) =>
      found?.map((group) =>
        isGone({ kind: group.kind, id: group.sample.id })
          ? { ...group, sample: { ...group.sample, wire: undefined } }
          : group,
      );
    const { problems, warnings } = read;
    const kept = { ...read, changes, problems: withoutThem(problems), warnings: withoutThem(warnings) };
    save.run(JSON.stringify(kept), String(run['id']));
  }
}
