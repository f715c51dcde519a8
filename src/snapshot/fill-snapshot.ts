import { type ProductRecord, product } from '#contracts/product/index.ts';
import { commitStaging, type Commit, type CommitResult } from './commit-staging.ts';
import { digestProduct, digestRecord } from './digest-record.ts';
import type { Snapshot } from './open-snapshot.ts';
import { stageRun } from './stage-run.ts';

export interface SnapshotContents {
  products?: ProductRecord[];
  familyOf?: (gtin: string) => string | undefined;
  /** Kind -> id -> record. */
  records?: Record<string, Record<string, object>>;
  at?: Date;
  conclude?: Commit['conclude'];
}

/** Replaces the content of a snapshot by these records, as a sync would. Tests only. */
export function fillSnapshot({ database }: Snapshot, contents: SnapshotContents): CommitResult {
  const { products = [], familyOf, records = {}, at = new Date('2026-11-21T10:00:00Z') } = contents;
  const staging = stageRun(database);
  for (const [position, record] of products.entries()) {
    staging.stageProduct({
      gtin: record.gtin,
      language: record.language,
      family: familyOf?.(record.gtin),
      position,
      outcome: 'read',
      record,
      recordLanguage: record.language,
      digest: digestProduct(product.parse(record)),
      etag: undefined,
      lastModified: undefined,
      references: [],
    });
  }
  staging.completeKind('product');
  for (const [kind, rows] of Object.entries(records)) {
    for (const [position, [id, record]] of Object.entries(rows).entries()) {
      staging.stageRecord({ kind, id, position, content: { record, digest: digestRecord(record) } });
    }
    staging.completeKind(kind);
  }
  const conclude: Commit['conclude'] = ({ digest, previousDigest, changed }) => ({
    run: {
      id: `run_${at.toISOString()}_${Math.random()}`,
      startedAt: at.toISOString(),
      finishedAt: at.toISOString(),
      changed,
      digest,
      previousDigest,
      requests: 0,
      report: undefined,
    },
    messages: [],
  });
  return commitStaging(database, { at, sources: [], conclude: contents.conclude ?? conclude });
}
