import { z } from 'zod';
import {
  importKind,
  importRecord,
  importSource,
  type ImportKind,
  type ImportOutcome,
  type ImportRecord,
} from '../../contracts/index.ts';
import { RestError } from '../publishing/transport/index.ts';
import { command } from '../management/command.ts';
import { openScope, type ImportScope } from './import-scope.ts';
import { putComment } from './put-comment.ts';
import { putMedium } from './put-medium.ts';
import { putTerm } from './put-term.ts';
import { putUser } from './put-user.ts';
import { putWriting } from './put-writing.ts';

type Put = (scope: ImportScope, record: ImportRecord) => Promise<Omit<ImportOutcome, 'id'>>;

const PUT: Readonly<Record<ImportKind, Put>> = {
  user: putUser,
  category: putTerm('category'),
  tag: putTerm('tag'),
  media: putMedium,
  page: putWriting('page'),
  post: putWriting('post'),
  comment: putComment,
};

const args = z.strictObject({ source: importSource, kind: importKind, records: z.array(importRecord) });

/** Writes records, each in a transaction of its own: it is here whole, or not at all. */
export const putRecords = command(args, async (context, { source, kind, records }) => {
  const scope = await openScope(context, source);
  const outcomes: ImportOutcome[] = [];
  for (const record of records) {
    const outcome = await PUT[kind](scope, record).catch(wordRefusal);
    outcomes.push({ id: record.id, ...outcome });
  }
  return { message: `${outcomes.length} were looked at.`, outcomes };
});

/** What a rule of the resource forbids; everything else is a fault, and ends the import. */
function wordRefusal(error: unknown): Omit<ImportOutcome, 'id'> {
  if (error instanceof RestError) return { outcome: 'refused', note: error.message };
  throw error;
}
