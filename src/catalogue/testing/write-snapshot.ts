import type {
  EpisodeRecord,
  HeadRecord,
  PageRecord,
  PodcastRecord,
  PostRecord,
  ShowRecord,
  TermRecord,
} from '#contracts/synced/index.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProductRecord } from '#contracts/product/index.ts';
import { EMPTY_HEAD } from '#catalogue/read-model/project-heads.ts';
import { listProductAssets, openSnapshot, type StoredAsset, type StoredSource } from '#snapshot/index.ts';

export interface SnapshotContent {
  products?: {
    language: string;
    record: ProductRecord;
    family?: string;
    position?: number;
    state?: string;
    changedAt?: string;
  }[];
  records?: Record<string, { id: string | number; record: object }[]>;
  assets?: (Pick<StoredAsset, 'url' | 'kind'> & Partial<StoredAsset>)[];
  sources?: Pick<StoredSource, 'name' | 'lastSuccess' | 'failedSince'>[];
  digest?: string;
  /** ID of the sync that wrote it. Without one, builds can't use the change log. */
  run?: string;
}

const TIMESTAMP = '2026-11-20T08:00:00.000Z';
export const SITE = 'https://journal.example';

/** Writes a snapshot to a separate folder, using the snapshot's own code but no sync. */
export function writeSnapshot(
  content: SnapshotContent,
  folder = mkdtempSync(path.join(tmpdir(), 'sortiment-snapshot-')),
): string {
  const file = path.join(folder, '.sortiment', 'snapshot.sqlite');
  const snapshot = openSnapshot(file);
  const insert = (table: string, row: Record<string, string | number | null>): void => {
    const columns = Object.keys(row);
    snapshot.database
      .prepare(`INSERT OR REPLACE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
      .run(...Object.values(row));
  };
  for (const table of ['products', 'records', 'assets', 'asset_references', 'sources', 'meta'])
    snapshot.database.exec(`DELETE FROM ${table}`);
  for (const { language, record, family, position = 0, ...stored } of content.products ?? []) {
    insert('products', {
      gtin: record.gtin,
      language,
      state: stored.state ?? 'present',
      record_language: record.language,
      record: JSON.stringify(record),
      digest: JSON.stringify(record),
      family: family ?? null,
      position,
      changed_at: stored.changedAt ?? TIMESTAMP,
      left_at: stored.state && stored.state !== 'present' ? (stored.changedAt ?? TIMESTAMP) : null,
    });
    const owner = `product/${record.gtin}/${language}`;
    for (const { address, kind } of listProductAssets(record))
      insert('asset_references', { owner, url: address, address, kind });
  }
  for (const [kind, rows] of Object.entries(content.records ?? {})) {
    for (const [position, { id, record }] of rows.entries()) {
      const json = JSON.stringify(record);
      insert('records', {
        kind,
        id: String(id),
        state: 'present',
        position,
        record: json,
        digest: json,
        changed_at: TIMESTAMP,
        checked_at: TIMESTAMP,
      });
    }
  }
  for (const asset of content.assets ?? []) {
    insert('assets', {
      url: asset.url,
      kind: asset.kind,
      digest: asset.digest ?? null,
      file: asset.file ?? null,
      bytes: asset.bytes ?? null,
      mime_type: asset.mimeType ?? null,
      width: asset.width ?? null,
      height: asset.height ?? null,
      details: asset.details ? JSON.stringify(asset.details) : null,
      last_modified: asset.lastModified ?? null,
      reachable: (asset.reachable ?? true) ? 1 : 0,
      checked_at: TIMESTAMP,
    });
  }
  for (const { name, lastSuccess, failedSince } of content.sources ?? [])
    insert('sources', { name, base: SITE, last_success: lastSuccess, failed_since: failedSince ?? null });
  insert('meta', { key: 'digest', value: content.digest ?? 'd1' });
  insert('meta', { key: 'taken_at', value: TIMESTAMP });
  if (content.run !== undefined)
    insert('runs', {
      id: content.run,
      started_at: TIMESTAMP,
      finished_at: TIMESTAMP,
      changed: 1,
      digest: '',
      requests: 0,
    });
  snapshot.close();
  return folder;
}

export function createProduct(fields: Partial<ProductRecord> = {}): ProductRecord {
  return { name: 'DIFFRANA Vario 75', gtin: '9524010000016', language: 'de-de', availability: 'available', ...fields };
}

export function createPost(fields: Partial<PostRecord> & Pick<PostRecord, 'id' | 'slug'>): PostRecord {
  return {
    link: `${SITE}/${fields.slug}/`,
    title: fields.slug,
    html: '<p>Text</p>',
    excerpt: 'Text',
    published: TIMESTAMP,
    modified: TIMESTAMP,
    author: 1,
    featuredMedia: undefined,
    sticky: false,
    format: 'standard',
    categories: [],
    tags: [],
    ...fields,
  };
}

export function createPage(fields: Partial<PageRecord> & Pick<PageRecord, 'id' | 'slug'>): PageRecord {
  const { sticky: _, format: __, categories: ___, tags: ____, ...shared } = createPost(fields);
  return { parent: undefined, menuOrder: 0, ...shared, ...fields };
}

/** A head with default values. */
export function createHead(fields: Partial<HeadRecord> & Pick<HeadRecord, 'id' | 'subject'>): HeadRecord {
  return { ...EMPTY_HEAD, graph: [], ...fields };
}

/** An episode with one audio file. */
export function createEpisode(fields: Partial<EpisodeRecord> & Pick<EpisodeRecord, 'id' | 'slug'>): EpisodeRecord {
  return {
    page: 1000 + fields.id,
    link: `${SITE}/podcast/${fields.slug}/`,
    guid: `guid-${fields.id}`,
    title: `Folge ${fields.id}`,
    listed: `Folge ${fields.id}`,
    number: fields.id,
    season: undefined,
    type: 'full',
    subtitle: '',
    summary: 'Kurz',
    html: '<p>Text</p>',
    published: TIMESTAMP,
    modified: TIMESTAMP,
    recorded: undefined,
    durationMs: 60_000,
    explicit: false,
    cover: undefined,
    poster: undefined,
    author: 1,
    featuredMedia: undefined,
    audio: [{ url: `${SITE}/audio/one.mp3`, bytes: 10, mimeType: 'audio/mpeg' }],
    transcripts: [],
    chapters: [],
    soundbite: undefined,
    license: undefined,
    show: '',
    tags: [],
    ...fields,
  };
}

/** A podcast as stored by a sync. */
export const PODCAST: PodcastRecord = {
  id: 1,
  guid: '4c0f6d2e-3f0e-4a4b-8a52-7d5a35c5d3a1',
  title: 'Dichtung',
  subtitle: 'Ein Podcast',
  summary: 'Worum es geht',
  author: 'Redaktion',
  email: 'post@haldenwerk.example',
  cover: undefined,
  language: 'de',
  category: 'Arts > Books',
  type: 'serial',
  explicit: false,
  copyright: '© Haldenwerk',
  funding: undefined,
  license: undefined,
  link: SITE,
};

const { link: _, ...series } = PODCAST;

export const createShow = (fields: Partial<ShowRecord> & Pick<ShowRecord, 'id' | 'slug'>): ShowRecord => ({
  ...series,
  guid: '',
  author: '',
  ...fields,
});

export function createTerm(fields: Partial<TermRecord> & Pick<TermRecord, 'id' | 'slug' | 'taxonomy'>): TermRecord {
  return { name: fields.slug, description: '', parent: undefined, ...fields };
}

/** Rows `{ id, record }` of records that contain their id. */
export const byId = <T extends { id: string | number }>(...records: T[]) =>
  records.map((record) => ({ id: record.id, record }));

export const languages = (...codes: string[]) => codes.map((code) => ({ id: code, record: { code, name: code } }));
