import { sql } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { option } from '#origin/platform/store/schema.ts';

interface Size {
  size: string;
  debug: string;
  /** Bytes. */
  raw: number;
}

/** How much the files and the store of the site take. */
export async function measureSite({ files, store }: OriginContext) {
  const [uploads, media, [database]] = await Promise.all([
    files.uploads.measure(),
    files.media.measure(),
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

function tell(raw: number): Size {
  const size = `${(raw / 1024 / 1024).toFixed(2)} MB`;
  return { size, debug: `${size} (${raw} bytes)`, raw };
}
