import type { Role } from '#contracts/core/user-routes.ts';
import type { HeadJson } from '#contracts/seo/head.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import type { TestContextOverrides } from '#origin/testing/test-context.ts';

export { OPEN_TIMEOUT_MS };

export type Body = Record<string, unknown> & { id: number; code: string };

/** A site whose heads are accessed over HTTP. */
export interface SeoSite extends TestSite {
  /** Sends a request below the REST root; anonymous without `as`. */
  send(method: string, path: string, body?: unknown, as?: Role): Promise<{ status: number; body: Body }>;
  /** Sends a request as administrator; throws unless it succeeds. */
  write(method: string, path: string, body?: unknown): Promise<Body>;
  /** Fetches the head of a path of the site. */
  head(path: string, as?: Role): Promise<{ status: number; json: HeadJson; html: string }>;
}

export async function openSeoSite(overrides: TestContextOverrides = {}): Promise<SeoSite> {
  const site = await openTestSite(overrides);
  const send: SeoSite['send'] = async (method, path, body, as) => {
    const answer = await site.fetch(`/${path}`, {
      method,
      ...(as && { as }),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: answer.body as Body };
  };
  return {
    ...site,
    send,
    async write(method, path, body) {
      const { status, body: answered } = await send(method, path, body, 'administrator');
      if (status > 299) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answered)}`);
      return answered;
    },
    async head(path, as) {
      const url = encodeURIComponent(site.context.publicUrl + path);
      const { status, body } = await send('GET', `seo/v1/get_head?url=${url}`, undefined, as);
      const { json, html } = body as unknown as { json: HeadJson; html: string };
      return { status, json, html };
    },
  };
}
