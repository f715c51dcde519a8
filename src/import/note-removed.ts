import { getCategory, getMedia, getPage, getPost, getTag } from '#contracts/core/index.ts';
import { followedKind } from '#contracts/index.ts';
import type { ImportRun } from './import-run.ts';
import { nameOf } from './send-records.ts';

const ROUTES = { category: getCategory, tag: getTag, media: getMedia, page: getPage, post: getPost } as const;

/**
 * Names what came over once and was deleted at its source since. Nothing is deleted here: a person decides. What a list
 * no longer shows is asked for by its id, as it may only be hidden from this account.
 */
export async function noteRemoved({ client, destination, report, seen }: ImportRun): Promise<void> {
  for (const kind of followedKind.options) {
    const absent = await destination.absent(kind, [...(seen.get(kind) ?? [])]);
    const removed: string[] = [];
    for (const row of absent) {
      const { kind: answer } = await client.call<(typeof ROUTES)[typeof kind]>(ROUTES[kind], {
        params: { id: row.id },
      });
      if (answer === 'gone') removed.push(nameOf(row));
    }
    if (removed.length > 0) report.note(kind, 'was deleted there, and stays here', removed);
  }
}
