import { findSpans } from '#contracts/index.ts';
import type { AskBucket } from './ask-bucket.ts';

export interface ListedKey {
  key: string;
  bytes: number;
  writtenAt: Date;
}

/** All keys that begin with a prefix, page by page (ListObjectsV2); with a delimiter, those that don't contain it after that. */
export async function* listKeys(
  ask: AskBucket,
  prefix: string,
  { delimiter, pageSize }: { delimiter?: string; pageSize?: number } = {},
): AsyncGenerator<ListedKey> {
  for (let token: string | undefined; ;) {
    const answer = await ask('GET', '', {
      query: {
        'list-type': '2',
        prefix,
        ...(delimiter === undefined ? {} : { delimiter }),
        ...(pageSize === undefined ? {} : { 'max-keys': String(pageSize) }),
        ...(token === undefined ? {} : { 'continuation-token': token }),
      },
    });
    const page = await answer.text();
    for (const { inner: entry } of findSpans(page, /<Contents>/, /<\/Contents>/)) {
      yield {
        key: textOf(entry, 'Key') ?? '',
        bytes: Number(textOf(entry, 'Size')),
        writtenAt: new Date(textOf(entry, 'LastModified') ?? Number.NaN),
      };
    }
    token = textOf(page, 'NextContinuationToken');
    if (token === undefined) return;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function textOf(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text?.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name ?? ''] ?? entity;
  });
}
