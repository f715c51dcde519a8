import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '#files/replace-file.ts';
import { displayUrl } from '../upstream-error.ts';

const rejection = z.union([z.literal(401), z.literal(403), z.literal('accepted'), z.literal('other')]);

/**
 * Undocumented behaviour of a product interface. It is probed once and stored, so that a sync need not probe it again.
 */
export const upstreamProfile = z.object({
  /** ISO. */
  probedAt: z.iso.datetime(),
  /** Root of the interface, without secrets. */
  base: z.string(),
  /** Status of a request without a token; `accepted` if no token is required. */
  unauthorisedStatus: rejection,
  /** Status of a request with an unknown token. */
  badTokenStatus: rejection,
  /** True if the root returns JSON. */
  index: z.boolean(),
  /**
   * Response for a valid but unknown GTIN. `json-404` is evidence of a removal; `html-404` may also come from another
   * server at a wrong address.
   */
  unknownProduct: z.enum(['json-404', 'html-404', 'other']),
  /** Response for an unlisted language: 400, the product in another language, or a JSON 404. */
  unknownLanguage: z.enum(['refused', 'fallback', 'gone', 'other']),
  /** Listed languages in which the sampled product is missing or returned in another language. */
  untranslated: z.array(z.string()),
  validators: z.object({
    etag: z.boolean(),
    lastModified: z.boolean(),
    /** True if conditional requests return 304. */
    notModified: z.boolean(),
  }),
  /** True if HEAD is supported. */
  head: z.boolean(),
  /** Optional extensions of the documented interface. */
  additions: z.object({ list: z.boolean(), export: z.boolean() }),
  /** True if responses are compressed. */
  gzip: z.boolean(),
  /** Clock of the server minus the local clock; undefined without a `Date` header. */
  clockSkewSeconds: z.number().optional(),
  /** Start of the deprecation (RFC 9745): ISO, or the unparsed header. */
  deprecation: z.string().optional(),
  /** End of service (RFC 8594): ISO, or the unparsed header. */
  sunset: z.string().optional(),
});

export type UpstreamProfile = z.infer<typeof upstreamProfile>;

const FILE_NAME = 'upstream-profile.json';

/**
 * Reads the stored profile of the interface at `base`. Returns undefined if it is missing, unreadable or belongs to
 * another interface.
 * @param home `settings.home`.
 * @param base `upstream.root`; credentials in it are ignored.
 */
export function readUpstreamProfile(home: string, base: string): UpstreamProfile | undefined {
  try {
    const parsed = upstreamProfile.safeParse(JSON.parse(readFileSync(path.join(home, FILE_NAME), 'utf8')));
    return parsed.success && parsed.data.base === displayUrl(base) ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the stored profile. @throws errors of the file system */
export async function writeUpstreamProfile(home: string, profile: UpstreamProfile): Promise<void> {
  await replaceFile(path.join(home, FILE_NAME), `${JSON.stringify(profile, undefined, 2)}\n`);
}
