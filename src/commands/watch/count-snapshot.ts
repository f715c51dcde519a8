import { countKnown, openSnapshot, type KnownCount } from '#snapshot/index.ts';

export interface SnapshotCounts {
  digest: string | undefined;
  records: KnownCount[];
  /** Messages to hooks by what became of them. */
  messages: { state: string; count: number }[];
}

const NOTHING: SnapshotCounts = { digest: undefined, records: [], messages: [] };

/** What the snapshot holds; nothing when there is none, or none that can be read at this moment. */
export function countSnapshot(snapshotPath: string): SnapshotCounts {
  try {
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    try {
      const rows = snapshot.database.prepare('SELECT state, count(*) AS count FROM outbox GROUP BY state').all();
      const messages = rows.map((row) => ({ state: String(row['state']), count: Number(row['count']) }));
      return { digest: snapshot.digest(), records: countKnown(snapshot.database), messages };
    } finally {
      snapshot.close();
    }
  } catch {
    // It may be in the middle of being made; a run says what else is wrong with it.
    return NOTHING;
  }
}
