import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword } from '#origin/testing/open-test-site.ts';
import type { TestContextOverrides } from '#origin/testing/test-context.ts';

export { OPEN_TIMEOUT_MS };

export type Body = Record<string, unknown> & { id: number; code: string };

interface NewEpisode {
  /** Fields of the episode. */
  fields?: object;
  /** Fields of its page. */
  page?: object;
  /** Its file, which gets enabled. */
  audio?: Buffer;
}

export type PodcastSite = Awaited<ReturnType<typeof openPodcastSite>>;

/** Opens a site with a podcast, accessed over HTTP. */
export async function openPodcastSite(overrides: TestContextOverrides = {}) {
  const site = await openTestSite(overrides);
  const { publicUrl } = site.context;

  /** Sends a request below the REST root; anonymous without `as`. */
  const send = async (method: string, path: string, body?: unknown, as?: Role) => {
    const { status, body: answered } = await site.fetch(`/${path}`, {
      method,
      ...(as && { as }),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status, body: answered as Body };
  };
  const write = async (method: string, path: string, body?: unknown) => {
    const { status, body: answered } = await send(method, path, body, 'administrator');
    if (status > 299) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answered)}`);
    return answered;
  };
  /** Uploads a file that belongs to a page. */
  const upload = async (page: number, name: string, bytes: Buffer, as: Role = 'editor') => {
    const form = new FormData();
    form.set('post', String(page));
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'audio/mpeg' }), name);
    const authorization = `Basic ${Buffer.from(`${as}:${testPassword(as)}`).toString('base64')}`;
    const address = `${publicUrl}/${site.context.restRoot}/core/v2/media`;
    const response = await fetch(address, { method: 'POST', headers: { authorization }, body: form });
    return { status: response.status, body: (await response.json()) as Body };
  };
  /** Enables or verifies the file of the first asset. */
  const onFile = async (id: number, action: string) => {
    const { results } = await write('GET', `podcast/v2/episodes/${id}/media`);
    const [first] = results as { asset_id: number }[];
    return write('PUT', `podcast/v2/episodes/${id}/media/${first?.asset_id}/${action}`);
  };

  return {
    ...site,
    send,
    upload,
    /** Fetches a page or feed of the site without following redirects. */
    visit: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(publicUrl + path, { method, headers, redirect: 'manual' }),
    async addEpisode(slug: string, { fields = {}, page = { status: 'publish' }, audio }: NewEpisode = {}) {
      const { id } = await write('POST', 'podcast/v2/episodes');
      await write('PUT', `podcast/v2/episodes/${id}`, { title: slug, slug, skip_validation: true, ...fields });
      const { post_id } = (await write('GET', `podcast/v2/episodes/${id}`)) as unknown as { post_id: number };
      if (audio) {
        const { status } = await upload(post_id, `${slug}.mp3`, audio);
        if (status !== 201) throw new Error(`Upload of the file of ${slug} failed with status ${status}.`);
        await onFile(id, 'enable');
      }
      await write('POST', `core/v2/episodes/${post_id}`, { slug, ...page });
      return { id, page: post_id };
    },
    enable: (id: number) => onFile(id, 'enable'),
    verify: (id: number) => onFile(id, 'verify'),
  };
}
