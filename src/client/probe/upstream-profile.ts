import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '#files/index.ts';
import { displayUrl } from '../upstream-error.ts';

const refusal = z.union([z.literal(401), z.literal(403), z.literal('accepted'), z.literal('other')]);

/**
 * How a product interface behaves where its documentation says nothing: probed once, and stored so that a sync need not
 * probe again.
 */
export const upstreamProfile = z.object({
  /** ISO. */
  probedAt: z.iso.datetime(),
  /** Root of the interface, without secrets. */
  base: z.string(),
  /** What it answers without a token. `accepted`: it does without one. */
  unauthorisedStatus: refusal,
  /** What it answers to a token that it can't know. */
  badTokenStatus: refusal,
  /** Whether its root answers in JSON. */
  index: z.boolean(),
  /**
   * For a valid GTIN that it can't know. `json-404` is its own answer and so evidence of a removal; `html-404` could as
   * well come from something else at a wrong address.
   */
  unknownProduct: z.enum(['json-404', 'html-404', 'other']),
  /** For a language that it doesn't list: 400, the product in another language, or JSON 404. */
  unknownLanguage: z.enum(['refused', 'fallback', 'gone', 'other']),
  /** Languages of its list in which a product that it knows came in another language, or not at all. */
  untranslated: z.array(z.string()),
  validators: z.object({
    etag: z.boolean(),
    lastModified: z.boolean(),
    /** Whether it answers 304 to a conditional request. */
    notModified: z.boolean(),
  }),
  /** Whether it answers HEAD. */
  head: z.boolean(),
  /** Additions to the documented interface. */
  additions: z.object({ list: z.boolean(), export: z.boolean() }),
  /** Whether it compresses what it sends. */
  gzip: z.boolean(),
  /** Its clock minus ours; undefined if it sends no time. */
  clockSkewSeconds: z.number().optional(),
  /** Since or from when it is deprecated (RFC 9745): ISO, or the header as it came. */
  deprecation: z.string().optional(),
  /** When it will end (RFC 8594): ISO, or the header as it came. */
  sunset: z.string().optional(),
});

export type UpstreamProfile = z.infer<typeof upstreamProfile>;

const FILE_NAME = 'upstream-profile.json';

/**
 * The profile of the interface at `base`, or undefined when there is none: never probed, of another interface, or not
 * readable.
 * @param home `settings.home`.
 * @param base `upstream.root`; credentials in it don't count.
 */
export function readProfile(home: string, base: string): UpstreamProfile | undefined {
  try {
    const read = upstreamProfile.safeParse(JSON.parse(readFileSync(path.join(home, FILE_NAME), 'utf8')));
    return read.success && read.data.base === displayUrl(base) ? read.data : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the profile as a whole. @throws what the file system throws. */
export async function writeProfile(home: string, profile: UpstreamProfile): Promise<void> {
  await replaceFile(path.join(home, FILE_NAME), `${JSON.stringify(profile, undefined, 2)}\n`);
}
