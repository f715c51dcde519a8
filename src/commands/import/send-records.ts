import { IMPORT_COMMANDS, type ImportKind, type ImportRecord } from '#contracts/import.ts';
import type { ImportReport } from './connect-site.ts';
import type { RunStep } from './destination.ts';
import { createHash } from 'node:crypto';

const MAX_CHARACTERS = 4 * 1024 * 1024;

/** A row as listed by the source. */
export interface SourceRow {
  id: number;
  slug?: string;
  name?: string;
  title?: { rendered: string };
}

/** Loads the parts of a record that are not in its row; undefined if the record can't be imported. */
export type LoadDetails<T> = (
  row: T,
  isKnown: boolean,
) => Promise<Partial<Pick<ImportRecord, 'wire' | 'revisions' | 'file' | 'files'>> | undefined>;

export interface SendOptions<T> {
  kind: ImportKind;
  step: RunStep;
  report: ImportReport;
  /** Extended by the IDs of the rows. */
  seen: Map<ImportKind, Set<number>>;
  /** Records that are completed and sent together. @default 50 */
  batch?: number;
  complete?: LoadDetails<T>;
  /** Identifies the content of a row that is sent. @default digestRecord */
  digest?: (row: T) => string;
}

export async function sendRecords<T extends SourceRow>(rows: readonly T[], sending: SendOptions<T>): Promise<void> {
  const { kind, step, report, seen, batch = 50, complete, digest: digestOf = digestRecord } = sending;
  seen.set(kind, new Set([...(seen.get(kind) ?? []), ...rows.map(({ id }) => id)]));
  if (rows.length === 0) return;
  const digested = rows.map((wire) => ({ id: wire.id, digest: digestOf(wire), wire }));
  const brief = digested.map(({ id, digest }) => ({ id, digest }));
  const found = await step(IMPORT_COMMANDS.check, { kind, records: brief });
  const [unchanged, known] = [new Set(found.unchanged), new Set(found.known)];
  const changed = digested.filter(({ id }) => !unchanged.has(id));
  for (const { wire } of digested) if (unchanged.has(wire.id)) report.became(kind, 'unchanged', formatRowName(wire));
  for (let start = 0; start < changed.length; start += batch) {
    const slice = changed.slice(start, start + batch);
    const completed = await Promise.all(
      slice.map(async (record): Promise<ImportRecord[]> => {
        const additions = complete ? await complete(record.wire, known.has(record.id)) : {};
        return additions ? [{ ...record, ...additions }] : [];
      }),
    );
    const names = new Map<number, string>(slice.map(({ id, wire }) => [id, formatRowName(wire)]));
    for (const chunk of splitBySize(completed.flat())) {
      const { outcomes } = await step(IMPORT_COMMANDS.put, { kind, records: chunk });
      for (const { id, outcome, note } of outcomes) report.became(kind, outcome, names.get(id) ?? String(id), note);
    }
  }
}

/** Splits records into chunks below the size limit, unless a single record exceeds it. */
function splitBySize(records: readonly ImportRecord[]): ImportRecord[][] {
  const chunks: ImportRecord[][] = [];
  let size = MAX_CHARACTERS;
  for (const record of records) {
    const length = JSON.stringify(record).length;
    if (size + length > MAX_CHARACTERS) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)?.push(record);
    size += length;
  }
  return chunks;
}

/** `12 (about-us)` */
export function formatRowName({ id, slug, name, title }: SourceRow): string {
  const label = slug || name || title?.rendered;
  return label ? `${id} (${label})` : String(id);
}

/** Members that servers compute for each response, independently of the record. */
const COMPUTED = new Set([
  '_links',
  'rendered',
  'link',
  'class_list',
  'permalink_template',
  'generated_slug',
  'custom_fields_html',
  'block_version',
  'count',
  'level',
  'avatar_urls',
  'author_avatar_urls',
  'capabilities',
  'extra_capabilities',
  'missing_image_sizes',
  'image_quality',
  'image_output_format',
  'image_save_progressive',
  'sizes',
]);

export function digestRecord(wire: unknown): string {
  const text = JSON.stringify(wire, (key, value: unknown) => {
    if (COMPUTED.has(key)) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return createHash('sha256').update(text).digest('base64url');
}
