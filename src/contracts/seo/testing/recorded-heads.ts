import recorded from './recorded-heads.json' with { type: 'json' };
import type { HeadSubject } from '../../synced/index.ts';

/** A head as a foreign server told it. */
export interface RecordedHead {
  kind: HeadSubject['kind'] | 'missing';
  id: number;
  url: string;
  status: number;
  json: Record<string, unknown>;
}

/** Heads that a live server told of a post, a page, a term and the like, as if it stood at this address. */
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
