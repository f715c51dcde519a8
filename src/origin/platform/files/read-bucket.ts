import { z } from 'zod';
import { formatProblems, readValue, SortimentError, trimEndOf } from '#contracts/index.ts';

const environment = z.object({
  FILES_BUCKET: z.url({ protocol: /^https?$/, error: 'is not an http(s) address' }),
  FILES_REGION: z.string().default('us-east-1'),
  FILES_ACCESS_KEY: z.string({ error: 'is missing' }),
  FILES_SECRET_KEY: z.string({ error: 'is missing' }),
});

/** A bucket that an S3-compatible server keeps, and the key to it. */
export interface Bucket {
  /** With its name, as host or as path: `https://s3.example.com/my-files`, `https://my-files.s3.example.com`. */
  address: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/**
 * The bucket that the environment names: `FILES_BUCKET`, `FILES_REGION`, `FILES_ACCESS_KEY`, `FILES_SECRET_KEY`. Empty
 * values count as not set. `undefined` without `FILES_BUCKET`: files lie in the data folder.
 *
 * @throws {SortimentError} BUCKET_INVALID; values are never printed
 */
export function readBucket(variables: Readonly<Record<string, string | undefined>>): Bucket | undefined {
  if (!variables['FILES_BUCKET']) return undefined;
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const reading = readValue(environment, given);
  if (!reading.ok)
    throw new SortimentError(
      'BUCKET_INVALID',
      `The settings of the bucket have a problem:\n${formatProblems(reading.problems)}`,
      { hint: 'Correct them in .env or in the shell, or leave FILES_BUCKET empty to keep files in the data folder.' },
    );
  const { FILES_BUCKET, FILES_REGION, FILES_ACCESS_KEY, FILES_SECRET_KEY } = reading.value;
  return {
    address: trimEndOf(FILES_BUCKET, '/'),
    region: FILES_REGION,
    accessKey: FILES_ACCESS_KEY,
    secretKey: FILES_SECRET_KEY,
  };
}
