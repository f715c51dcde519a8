import { z } from 'zod';
import { exchangeRequest } from './exchange-request.ts';

/** `build.json` of a site, as the build writes it. */
const buildFile = z.object({ digest: z.string(), built: z.iso.datetime().optional() });

export interface LiveBuild {
  digest: string;
  /** When it was built, ISO. */
  built: string | undefined;
}

/** What is live at a site; undefined when it doesn't say so in time, or says something else. */
export async function findLiveBuild(siteUrl: string, timeoutMs: number): Promise<LiveBuild | undefined> {
  const exchanged = await exchangeRequest(
    {
      method: 'GET',
      url: `${siteUrl}/build.json`,
      headers: { accept: 'application/json', 'cache-control': 'no-cache' },
    },
    timeoutMs,
  );
  if (exchanged.outcome === 'failed' || exchanged.answer.status !== 200) return undefined;
  try {
    const { digest, built } = buildFile.parse(JSON.parse(exchanged.answer.body));
    return { digest, built };
  } catch {
    return undefined;
  }
}
