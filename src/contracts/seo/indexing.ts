import { z } from 'zod';
import { route } from '../route.ts';

const response = z.object({
  objects: z.array(z.record(z.string(), z.unknown())).meta({ description: 'Records that were missing' }),
  next_url: z.union([z.string(), z.literal(false)]).meta({ description: 'URL of the next call, or false at the end' }),
});

/** Routes that build missing records, in call order. */
export const INDEXING = (
  [
    ['indexing/prepare', 'Starts to build missing records'],
    ['indexing/terms', 'Builds missing records of terms'],
    ['indexing/posts', 'Builds missing records of content'],
    ['indexing/post-type-archives', 'Builds missing records of archives'],
    ['indexing/general', 'Builds missing records of general pages'],
    ['indexing/indexables-complete', 'Marks all records as built'],
    ['link-indexing/posts', 'Counts links in unprocessed content'],
    ['link-indexing/terms', 'Counts links in unprocessed terms'],
    ['indexing/complete', 'Marks records and links as built'],
  ] as const
).map(([name, summary]) =>
  route({
    method: 'POST',
    path: `seo/v1/${name}`,
    summary,
    access: 'user',
    errors: { seo_error_indexing: 500 },
    response,
  }),
);
