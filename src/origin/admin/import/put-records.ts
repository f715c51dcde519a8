import { IMPORT_STEPS, type ImportKind, type ImportOutcome, type ImportRecord } from '#contracts/index.ts';
import { RestError } from '#origin/platform/http/transport/index.ts';
import { sqlState } from '#origin/platform/store/index.ts';
import { importStep } from '#origin/admin/management/command.ts';
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

/** Writes records, each in a transaction of its own: it is here whole, or not at all. */
export const putRecords = importStep(IMPORT_STEPS.put, async (context, { source, kind, records }) => {
  const scope = await openScope(context, source);
  const outcomes: ImportOutcome[] = [];
  for (const record of records) {
    outcomes.push({ id: record.id, ...(await putOne(PUT[kind], scope, record)) });
  }
  return { message: `${outcomes.length} were looked at.`, outcomes };
});

/** What a rule of the resource or of the store forbids is refused; everything else is a fault, and ends the import. */
async function putOne(put: Put, scope: ImportScope, record: ImportRecord): Promise<Omit<ImportOutcome, 'id'>> {
  try {
    return await put(scope, record);
  } catch (error) {
    if (error instanceof RestError) return { outcome: 'refused', note: error.message };
    if (!UNKEEPABLE.test(sqlState(error) ?? '')) throw error;
    return { outcome: 'refused', note: 'holds a value that can not be kept, such as a date that does not exist' };
  }
}

/** States of PostgreSQL for a value that is out of range (22) or too long for an index (54). */
const UNKEEPABLE = /^(?:22|54)/;
