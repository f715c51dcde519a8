import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { OriginContext } from '../origin-context.ts';
import { option } from '../store/schema.ts';

interface Size {
  size: string;
  debug: string;
  /** Bytes. */
  raw: number;
}

/** How much the files and the store of the site take. */
export async function measureSite({ filesFolder, store }: OriginContext) {
  const [uploads, media, [database]] = await Promise.all([
    measureFolder(join(filesFolder, 'uploads')),
    measureFolder(join(filesFolder, 'media')),
    store.db
      .select({ bytes: sql<string>`pg_database_size(current_database())` })
      .from(option)
      .limit(1),
  ]);
  const stored = Number(database?.bytes ?? 0);
  return {
    uploads_size: tell(uploads),
    media_size: tell(media),
    database_size: tell(stored),
    total_size: tell(uploads + media + stored),
  };
}

/** Bytes of all files below a folder; 0 without one. Files that go meanwhile do not count. */
async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}

function tell(raw: number): Size {
  const size = `${(raw / 1024 / 1024).toFixed(2)} MB`;
  return { size, debug: `${size} (${raw} bytes)`, raw };
}
