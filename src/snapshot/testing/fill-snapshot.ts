import { type ProductRecord, product } from '#contracts/product/index.ts';
import { commitStaging, type Commit, type CommitResult } from '../commit-staging.ts';
import { digestProduct, digestRecord } from '../digest-record.ts';
import type { Snapshot } from '../open-snapshot.ts';
import { stageRun } from '../stage-run.ts';

export interface SnapshotContents {
  products?: ProductRecord[];
  familyOf?: (gtin: string) => string | undefined;
  /** Kind -> id -> record. */
  records?: Record<string, Record<string, object>>;
  at?: Date;
  conclude?: Commit['conclude'];
}

/** Replaces the content of a snapshot by these records, as a sync would. */
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

/** Returns every row of every table as stored. */
export function dumpSnapshot({ database }: Pick<Snapshot, 'database'>): Record<string, unknown[]> {
  const tables = database
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [String(name), database.prepare(`SELECT * FROM main."${String(name)}"`).all()]),
  );
}

/** A record of the product interface for tests: complete and valid, except for what a test overrides. */
export function createProduct(changes: Record<string, unknown> = {}): ProductRecord {
  return {
    name: 'DIFFRANA Vario 75',
    gtin: '9524010000016',
    language: 'de-de',
    abas_id: '(20417,2,0)',
    item_number: 'HW-10110',
    price: 142.5,
    availability: 'available',
    length: 50,
    width: '1.500',
    height: null,
    area: 75,
    joint: null,
    weight: 7.4,
    folded: false,
    trade_unit: 'Rolle',
    packaging_unit: 'Palette',
    packaging_unit_quantity: 20,
    bundle_unit: '',
    bundle_unit_quantity: null,
    erp_description: 'DIFFRANA Vario 75\nGewicht: 7,4 kg / Rolle',
    erp_description_short: 'DIFFRANA Vario 75 1,5 m x 50 m',
    intro: 'Dampfbremse mit feuchtevariablem Diffusionswiderstand.',
    application: '<p>Luftdichtungsebene auf der Raumseite:</p><ul><li>Dachschrägen</li></ul>',
    application_short: 'Raumseitige Luftdichtung.',
    advantages: '<ul><li>Hohe Trocknungsreserve</li></ul>',
    substrate: '',
    limiting_factors: '<ul><li>Baufeuchte zügig ablüften.</li></ul>',
    datasheet: '',
    safety_datasheet: '',
    declaration_of_performance: '',
    image: null,
    banner: null,
    attributes: [
      { name: 'Brandverhalten', norm: 'EN 13501-1', value: 'E' },
      { name: 'sd-Wert', norm: 'EN ISO 12572', value: '0,25 – 25 m' },
    ],
    materials: [{ name: 'Funktionsmembran', value: 'Polyamid-Copolymer' }],
    ...changes,
  } as ProductRecord;
}
