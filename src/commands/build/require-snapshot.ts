import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { getErrorMessage, SortimentError } from '#contracts/index.ts';
import { readDigest } from '#snapshot/read-digest.ts';

const TIMEOUT_MS = 10_000;

/** `build.json` of a published site. */
const buildFile = z.object({ digest: z.string() });

/**
 * Protects the archive of a published site. A sync without the earlier snapshot would drop the pages of discontinued
 * products, their documents, and undelivered announcements.
 *
 * @throws SortimentError SNAPSHOT_LOST if there is no snapshot although a site at SITE_URL exists, or can't be ruled
 * out.
 */
export async function requireSnapshot({ home, siteUrl, snapshotPath }: Settings): Promise<void> {
  if (readDigest(snapshotPath) !== undefined) return;
  const published = await findPublished(`${siteUrl}/build.json`);
  if (published === undefined) return;
  throw new SortimentError(
    'SNAPSHOT_LOST',
    `There is no snapshot in ${home}, but ${siteUrl} ${published}. ` +
      'Publishing again would drop its discontinued products, earlier documents and undelivered announcements.',
    {
      hint:
        `Restore ${home} from a cache or a backup. To discard them, run the sync without --require-snapshot; ` +
        'in GitHub Actions, start the workflow by hand with "from-scratch".',
    },
  );
}

/** Returns the reason why a site may be published; undefined if its host responds that it isn't, or doesn't exist. */
async function findPublished(address: string): Promise<string | undefined> {
  try {
    const response = await fetch(address, {
      headers: { 'cache-control': 'no-cache' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok)
      return response.status === 404 || response.status === 410
        ? undefined
        : `can't be checked: it responds with ${response.status}`;
    // Another page: the site was not built by this project.
    return buildFile.safeParse(await response.json().catch(() => undefined)).success ? 'is published' : undefined;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND') return undefined;
    return `can't be checked: ${getErrorMessage(cause ?? error)}`;
  }
}
