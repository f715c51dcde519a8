import { expect } from 'vitest';

/** Edits a podcast over HTTP, like an editor's program. */
export interface PodcastEditor {
  /** Creates an episode as a draft. */
  create(): Promise<{ id: number; page: number; guid: string }>;
  /**
   * Sends a request and expects success.
   *
   * @param route Relative to the root of the interface.
   * @returns The response.
   */
  send(method: string, route: string, body?: object): Promise<Record<string, unknown>>;
  /** Uploads a file into the folder of the episode, replacing one of the same name. */
  upload(page: number, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** @param root URL of the publishing interface, with a trailing slash. */
export function podcastEditor(root: string, login: { name: string; password: string }): PodcastEditor {
  const authorization = `Basic ${Buffer.from(`${login.name}:${login.password}`).toString('base64')}`;
  const request = async (method: string, route: string, body?: BodyInit, headers = {}) => {
    const response = await fetch(new URL(route, root), {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    });
    expect(response.ok, `${method} ${route}: ${response.status} ${await response.clone().text()}`).toBe(true);
    return (await response.json()) as Record<string, unknown>;
  };
  const send: PodcastEditor['send'] = (method, route, body) =>
    request(method, route, body && JSON.stringify(body), body && { 'content-type': 'application/json' });
  const uploaded = new Map<string, unknown>();
  return {
    send,
    async create() {
      const { id } = await send('POST', 'podcast/v2/episodes');
      const { post_id: page, guid } = await send('GET', `podcast/v2/episodes/${Number(id)}`);
      return { id: Number(id), page: Number(page), guid: String(guid) };
    },
    async upload(page, name, bytes) {
      const earlier = uploaded.get(name);
      if (earlier !== undefined) await send('DELETE', `core/v2/media/${Number(earlier)}?force=true`);
      const form = new FormData();
      form.set('post', String(page));
      form.set('file', new Blob([bytes], { type: 'audio/mpeg' }), name);
      const { id } = await request('POST', 'core/v2/media', form);
      uploaded.set(name, id);
    },
  };
}
