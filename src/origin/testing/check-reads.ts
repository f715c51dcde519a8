import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';

const WRITERS = 8;
const READERS = 8;
const POSTS_OF_WRITER = 2;
const OPERATIONS = process.env['SORTIMENT_SOAK'] ? 20_000 : 2000;

/** Timeout of tests that call `checkReads`. Generous, because other tests run at the same time. */
export const CHECK_READS_TIMEOUT_MS = 60_000 + OPERATIONS * 300;

/** State numbers of a post. Odd states are private. */
interface PostState {
  id: number;
  /** Last state that was sent. */
  sent: number;
  /** Last state that was acknowledged. */
  acknowledged: number;
  /** Last state that each process must show. */
  visible: number[];
}

interface Row {
  id: number;
  status: string;
  title: { rendered: string; raw?: string };
}

/** `Authorization` headers of an account that writes posts, and of others that read private ones. */
export interface CheckReadsCredentials {
  writer: string;
  readers: readonly string[];
}

/** Deterministic pseudo-random number from 0 to 1 for the n-th step. */
const spread = (n: number): number => (n * 0.618_034) % 1;
const pick = <T>(list: readonly T[], n: number): T => list[Math.floor(spread(n) * list.length)] as T;

/** Fetches, and retries once if the server closed an idle connection at the same moment. */
function ask(url: string, request: RequestInit): Promise<Response> {
  return fetch(url, request).catch((error: unknown) => {
    if (error instanceof TypeError) return fetch(url, request);
    throw error;
  });
}

/** Fields of the n-th state of a post. */
const state = (n: number) => ({ title: `State ${n}`, status: n % 2 === 1 ? 'private' : 'publish' });
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/**
 * Runs eight clients that change posts between public and private, and eight that read them, some without credentials.
 * No response may be older than the last write that its process has acknowledged, or than those that the others had
 * acknowledged before it was sent. None may contain a post that its caller must not see, or another total than its
 * rows. In the end, every process shows the writes of the others without writing itself, and exactly the last
 * acknowledged state of every post.
 *
 * @param roots REST roots of one site, possibly of several processes
 */
export async function checkReads(roots: readonly string[], { writer, readers }: CheckReadsCredentials): Promise<void> {
  let operations = 0;
  const isRunning = () => operations < OPERATIONS;
  const send = async (method: string, root: string, path: string, fields: object) => {
    operations += 1;
    const headers = { 'content-type': 'application/json', authorization: writer };
    const response = await ask(`${root}/core/v2/${path}`, { method, headers, body: JSON.stringify(fields) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Row;
  };
  const started = Date.now();
  const posts: PostState[] = [];
  for (let n = 0; n < WRITERS * POSTS_OF_WRITER; n += 1) {
    const { id } = await send('POST', pick(roots, n), 'posts', state(0));
    posts.push({ id, sent: 0, acknowledged: 0, visible: roots.map(() => 0) });
  }

  const write = async (client: number) => {
    for (let n = client; isRunning(); n += 1) {
      const post = posts[client * POSTS_OF_WRITER + (n % POSTS_OF_WRITER)] as PostState;
      post.sent += 1;
      const root = pick(roots, n * 3 + client);
      const at = roots.indexOf(root);
      const before = posts.map(({ acknowledged }) => acknowledged);
      await send('PATCH', root, `posts/${post.id}`, state(post.sent));
      post.acknowledged += 1;
      // A write empties the caches of its process.
      for (const [i, { visible }] of posts.entries()) visible[at] = Math.max(visible[at] ?? 0, before[i] ?? 0);
      post.visible[at] = post.acknowledged;
      // Leaves time for responses to be cached.
      await setTimeout(spread(n) * 20 * WRITERS);
    }
  };

  const seen = new Map<string, { etag: string; body: unknown }>();
  const read = async (client: number) => {
    for (let n = client * 1000; isRunning(); n += 1) {
      operations += 1;
      const authorization = client % 2 === 0 ? undefined : pick(readers, n);
      const post = pick(posts, n);
      const isList = n % 3 === 0;
      const every = 'per_page=100&orderby=id&order=asc';
      const path = isList
        ? `posts?${every}${authorization ? '&status=publish,private&context=edit' : ''}`
        : `posts/${post.id}`;
      const root = pick(roots, n * 7);
      const url = `${root}/core/v2/${path}`;
      const before = new Map(posts.map(({ id, visible }) => [id, visible[roots.indexOf(root)]]));
      const cached = authorization === undefined && n % 2 === 0 ? seen.get(url) : undefined;
      const headers = {
        ...(authorization ? { authorization } : {}),
        ...(cached ? { 'if-none-match': cached.etag } : {}),
      };
      const response = await ask(url, { headers });
      const body: unknown = response.status === 304 ? cached?.body : await response.json();
      const etag = response.headers.get('etag');
      if (authorization === undefined && response.status === 200 && etag !== null) seen.set(url, { etag, body });
      const listed = (response.ok || response.status === 304 ? [body].flat() : []) as Row[];
      // The list has a single page.
      if (isList && response.ok) expect(Number(response.headers.get('x-wp-total'))).toBe(listed.length);
      const rows = new Map(listed.map((row) => [row.id, row]));
      for (const { id, sent } of isList ? posts : [post]) {
        const floor = before.get(id) ?? 0;
        const row = rows.get(id);
        const number = Number(/State (\d+)$/.exec(row?.title.rendered ?? '')?.[1]);
        const mayBePrivate = sent > floor || floor % 2 === 1;
        const details = { url, as: authorization ?? 'anonymous', status: response.status, id, floor, sent };
        if (row) {
          const isConsistent = (row.status === 'private') === (number % 2 === 1);
          const isVisible = authorization !== undefined || row.status === 'publish';
          const problems = [
            ...(number >= floor ? [] : ['is older than what was acknowledged']),
            ...(isConsistent && isVisible && (row.title.raw === undefined || authorization)
              ? []
              : ['is not visible to this caller']),
          ];
          expect({ ...details, number, row, problems }).toMatchObject({ problems: [] });
        } else {
          const isExpected = authorization === undefined && mayBePrivate && (isList || response.status === 401);
          expect({ ...details, isExpected, body: isList ? undefined : body }).toMatchObject({ isExpected: true });
        }
      }
    }
  };

  await Promise.all([...numbers(WRITERS).map(write), ...numbers(READERS).map(read)]);
  const writes = posts.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  expect(writes).toBeGreaterThan(WRITERS);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`    ${operations} operations, ${writes} of them edits, in ${seconds} s\n`);

  const watched = pick(posts, 0);
  for (const root of roots)
    for (const other of roots.filter((one) => one !== root))
      for (let n = 0; n < 3; n += 1) {
        // The next public state. The process has cached the one before, and learns of it by a notification only.
        watched.sent += 2 - (watched.sent % 2);
        await send('PATCH', other, `posts/${watched.id}`, state(watched.sent));
        watched.acknowledged = watched.sent;
        const shown = async () => ((await (await ask(`${root}/core/v2/posts/${watched.id}`, {})).json()) as Row).title;
        await expect.poll(shown, { timeout: 60_000 }).toMatchObject({ rendered: `State ${watched.sent}` });
      }

  for (const root of roots)
    for (const { id, sent, acknowledged } of posts) {
      const response = await ask(`${root}/core/v2/posts/${id}?context=edit`, { headers: { authorization: writer } });
      const { title, status } = (await response.json()) as Row;
      expect({ id, sent, title: title.raw, status }).toEqual({ id, sent: acknowledged, ...state(acknowledged) });
    }
}
