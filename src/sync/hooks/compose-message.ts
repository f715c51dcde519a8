import { randomBytes } from 'node:crypto';
import type { HookOptions, CHANGE_CLASSES } from '#config/hook-options.ts';
import type { HookQueue, NewMessage, OutboxMessage } from '#snapshot/index.ts';
import { countChanges } from '../report/format-report.ts';
import type { SyncReport, Change } from '../report/sync-report.ts';

/** Product fields with a separate change class; all other fields are `text`. */
const CLASSES: Readonly<Record<string, ChangeClass>> = {
  price: 'price',
  availability: 'availability',
  image: 'media',
  banner: 'media',
  datasheet: 'documents',
  safety_datasheet: 'documents',
  declaration_of_performance: 'documents',
  documents: 'documents',
  attributes: 'attributes',
  materials: 'attributes',
};

/** Event that hooks receive. It is deliberately small, because details are in the catalogue. */
export interface CatalogueChanged {
  /** `catalogue.test` is sent by `npm run hooks -- test`. */
  type: 'catalogue.changed' | 'catalogue.test';
  /** ISO. */
  timestamp: string;
  data: {
    runId: string;
    /** Digest of the last notification to this receiver, as far as known; null before the first snapshot. */
    previousDigest: string | null;
    digest: string;
    counts: SyncReport['counts'];
    /** Products that changed in any language, at most 100. */
    gtins: string[];
    /** Classes of the changes, such as `price`, `text` or `removed`. */
    classes: string[];
  };
}

/** Maximum number of products in a message. */
export const MAX_GTINS = 100;

/** Parts of a report that a message is created from. */
export type ReportedChange = Pick<SyncReport, 'runId' | 'digest' | 'previousDigest' | 'changes'>;

type NotifiedHook = Pick<HookOptions, 'name' | 'debounce' | 'classes' | 'languages' | 'kinds'>;

/**
 * Creates the message for a hook. A waiting message absorbs the change and keeps its ID. If the last message was
 * already sent, the change gets a new one. So each change is reported under one ID.
 * @returns Undefined if no change passes the hook's filter.
 */
export function composeMessage(
  hook: NotifiedHook,
  report: ReportedChange,
  queue: HookQueue,
  at: Date,
): NewMessage | undefined {
  const changes = report.changes.filter((change) => passesFilter(change, hook));
  if (hasFilter(hook) && changes.length === 0) return undefined;
  const { waiting, lastSent } = queue;
  const earlier = waiting && readEvent(waiting).data;
  const lastSentDigest = lastSent && readEvent(lastSent).data.digest;
  const changedProducts = changes.filter(({ kind }) => kind === 'product').map(({ id }) => id);
  const message: CatalogueChanged = {
    type: 'catalogue.changed',
    timestamp: at.toISOString(),
    data: {
      runId: report.runId,
      previousDigest: earlier ? earlier.previousDigest : (lastSentDigest ?? report.previousDigest ?? null),
      digest: report.digest,
      counts: countChanges(changes, earlier?.counts),
      gtins: [...new Set([...(earlier?.gtins ?? []), ...changedProducts])].slice(0, MAX_GTINS),
      classes: [...new Set([...(earlier?.classes ?? []), ...changes.flatMap(classifyChange)])].toSorted(),
    },
  };
  return {
    id: waiting?.id ?? messageId(),
    hook: hook.name,
    runId: report.runId,
    body: JSON.stringify(message),
    at,
    dueAt: dueAt(hook, waiting, at),
  };
}

/** Parses the event of an outbox message. */
export function readEvent({ body }: Pick<OutboxMessage, 'body'>): CatalogueChanged {
  return JSON.parse(body) as CatalogueChanged;
}

/** Returns when a message is due: after the quiet time, or after the maximum wait since the first change. */
function dueAt({ debounce }: NotifiedHook, waiting: OutboxMessage | undefined, at: Date): Date {
  const first = waiting ? Date.parse(waiting.createdAt) : at.getTime();
  return new Date(Math.min(at.getTime() + debounce.quietSeconds * 1000, first + debounce.maxWaitSeconds * 1000));
}

/** Creates a unique message ID. */
export function messageId(): string {
  return `msg_${randomBytes(16).toString('hex')}`;
}

/** True if a change passes the hook's filter. Changes without a language match every language. */
function passesFilter(change: Change, { classes, languages, kinds }: NotifiedHook): boolean {
  if (kinds && !kinds.includes(change.kind)) return false;
  if (languages && change.language !== undefined && !languages.includes(change.language)) return false;
  return !classes || classifyChange(change).some((name) => classes.includes(name));
}

function hasFilter({ classes, languages, kinds }: NotifiedHook): boolean {
  return classes !== undefined || languages !== undefined || kinds !== undefined;
}

type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** Returns the classes of a change, one for each changed field. */
function classifyChange({ kind, id, change, fields }: Change): ChangeClass[] {
  if (change !== 'changed') return [change];
  if (kind === 'asset') return [/\.pdf(?:[?#]|$)/i.test(id) ? 'documents' : 'media'];
  if (kind !== 'product') return ['content'];
  return fields.map(({ field }) => CLASSES[field.split(/[.[]/, 1)[0] ?? ''] ?? 'text');
}
