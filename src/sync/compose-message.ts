import { randomBytes } from 'node:crypto';
import type { NewMessage, PendingMessage } from '../snapshot/index.ts';
import type { Change, ChangeCounts, SyncReport } from './sync-report.ts';

/** What a hook is told. Thin on purpose: who wants more reads the catalogue. */
export interface CatalogueChanged {
  type: 'catalogue.changed';
  /** ISO. */
  timestamp: string;
  data: {
    runId: string;
    /** What the receiver was last told of, as far as we know; null before the first snapshot. */
    previousDigest: string | null;
    digest: string;
    counts: SyncReport['counts'];
    /** Products that changed in any language, at most 100 of them. */
    gtins: string[];
    /** What kind of change it is, such as `price`, `text` or `removed`. */
    classes: string[];
  };
}

const MAX_GTINS = 100;

/** Fields of a product that stand for a class of their own; the others are `text`. */
const CLASSES: Readonly<Record<string, string>> = {
  price: 'price',
  availability: 'availability',
  image: 'media',
  banner: 'media',
  datasheet: 'documents',
  safety_datasheet: 'documents',
  declaration_of_performance: 'documents',
  attributes: 'attributes',
  materials: 'attributes',
};

/** The parts of a report that a message is made from. */
export type ReportedChange = Pick<SyncReport, 'runId' | 'digest' | 'previousDigest' | 'counts' | 'changes'>;

/**
 * The message for one hook. It stands in for messages that are still pending there: the receiver is told once, of
 * everything since what it last heard, under an id of its own (another content under an old id would be taken for a
 * repetition).
 */
export function composeMessage(
  hook: string,
  report: ReportedChange,
  pending: readonly PendingMessage[],
  at: Date,
): NewMessage {
  const earlier = pending.map(({ body }) => (JSON.parse(body) as CatalogueChanged).data);
  const changedProducts = report.changes.filter(({ kind }) => kind === 'product').map(({ id }) => id);
  const message: CatalogueChanged = {
    type: 'catalogue.changed',
    timestamp: at.toISOString(),
    data: {
      runId: report.runId,
      previousDigest: earlier[0] ? earlier[0].previousDigest : (report.previousDigest ?? null),
      digest: report.digest,
      counts: addCounts([...earlier.map(({ counts }) => counts), report.counts]),
      gtins: [...new Set([...earlier.flatMap(({ gtins }) => gtins), ...changedProducts])].slice(0, MAX_GTINS),
      classes: [
        ...new Set([...earlier.flatMap(({ classes }) => classes), ...report.changes.flatMap(classesOf)]),
      ].toSorted(),
    },
  };
  return {
    id: `msg_${randomBytes(16).toString('hex')}`,
    hook,
    runId: report.runId,
    body: JSON.stringify(message),
    at,
    supersedes: pending.map(({ id }) => id),
  };
}

function classesOf({ kind, change, fields }: Change): string[] {
  if (change !== 'changed') return [change];
  if (kind === 'asset') return ['media'];
  if (kind !== 'product') return ['content'];
  return fields.map(({ field }) => CLASSES[field.split(/[.[]/, 1)[0] ?? ''] ?? 'text');
}

function addCounts(all: readonly SyncReport['counts'][]): SyncReport['counts'] {
  const total: Record<string, Record<string, ChangeCounts>> = {};
  for (const counts of all) {
    for (const [kind, byLanguage] of Object.entries(counts)) {
      for (const [language, { added, changed, removed }] of Object.entries(byLanguage)) {
        const tally = ((total[kind] ??= {})[language] ??= { added: 0, changed: 0, removed: 0 });
        tally.added += added;
        tally.changed += changed;
        tally.removed += removed;
      }
    }
  }
  return total;
}
