import recorded from './recorded-heads.json' with { type: 'json' };
import type { HeadSubject } from '../../synced/index.ts';

/** A recorded page head of another server. */
export interface RecordedHead {
  kind: HeadSubject['kind'] | 'missing';
  id: number;
  url: string;
  status: number;
  json: Record<string, unknown>;
}

/** Returns heads recorded from a live server, with their URLs mapped to a site. */
export function recordedHeads(site: string): RecordedHead[] {
  const heads = JSON.parse(JSON.stringify(recorded).replaceAll('{site}', site)) as (typeof recorded)[number][];
  return heads.map(({ kind, id, path, status, json }) => ({
    kind: kind as RecordedHead['kind'],
    id,
    url: `${site}${path}`,
    status,
    json,
  }));
}
