import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { role, type Role } from '#contracts/core/user-routes.ts';
import { Hono } from 'hono';
import { DEFAULT_CACHE_BYTES, responseCache } from '#origin/platform/cache/response-cache.ts';
import { requestListener } from '#origin/platform/http/transport/request-listener.ts';
import { createApplicationPassword } from '#origin/platform/accounts/application-passwords.ts';
import { createUser } from '#origin/platform/accounts/users.ts';
import { content, contentTerm, option, term } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext, type TestContextOverrides } from './test-context.ts';
import { MODULES } from '#origin/server/modules.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { registerAll } from '#origin/platform/registry/content-kind.ts';
import { applyModuleMigrations } from '#origin/platform/store/apply-migrations.ts';
import { publishingInterface } from '#origin/server/publishing/publishing-interface.ts';

/** An in-memory store takes seconds to start, longer on a busy machine. */
export const OPEN_TIMEOUT_MS = 120_000;

/** Password of the test user with this role. */
export function testPassword(name: Role): string {
  return `${name} password`.padEnd(24, '0');
}

type NewContent = Partial<typeof content.$inferInsert>;

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed JSON body. */
  body: unknown;
}

export interface TestRequest {
  method?: string;
  /** Signs in as the user with this role. */
  as?: Role;
  headers?: Record<string, string>;
  body?: string;
}

/** A publishing interface on loopback with an empty store and one user per role. */
export interface TestSite {
  context: TestContext;
  /** User IDs by role. */
  users: Readonly<Record<Role, number>>;
  /** @param path below the REST root, with its query */
  fetch(path: string, request?: TestRequest): Promise<TestResponse>;
  addContent(row: NewContent, termIds?: readonly number[]): Promise<number>;
  addTerm(row: Partial<typeof term.$inferInsert> & { name: string }): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens a test site.
 *
 * @param modules modules to serve, by default those of the origin
 */
export async function openTestSite(
  overrides: TestContextOverrides = {},
  modules: readonly NamespaceModule[] = MODULES,
): Promise<TestSite> {
  const server = createServer();
  // Clients close idle connections; a busy test process would close one that is about to be reused.
  server.keepAliveTimeout = 0;
  await new Promise<void>((opened) => void server.listen(0, '127.0.0.1', opened));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = await createTestContext({ publicUrl, ...registerAll(modules), ...overrides });
  await applyModuleMigrations(context.store, modules);
  const app = new Hono().use(responseCache(context.store.writes, DEFAULT_CACHE_BYTES));
  app.route('/', publishingInterface(context, modules));
  server.on('request', requestListener(app.fetch));

  const { db } = context.store;
  const site = { name: 'Dach & Wand', description: 'Notes', timezone: 'Europe/Berlin', url: publicUrl };
  await db.insert(option).values({ name: 'site', value: site });
  const users = await addUsers(context);
  let slugs = 0;

  return {
    context,
    users,
    async fetch(path, { method = 'GET', as, headers, body } = {}) {
      const authorization = as && `Basic ${Buffer.from(`${as}:${testPassword(as)}`).toString('base64')}`;
      const response = await fetch(`${publicUrl}/${context.restRoot}${path}`, {
        method,
        headers: { ...(authorization ? { authorization } : {}), ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
    async addContent(row, termIds = []) {
      slugs += 1;
      const [added] = await db
        .insert(content)
        .values(fillContent(row, users.editor, slugs))
        .returning({ id: content.id });
      const id = added?.id ?? 0;
      if (termIds.length > 0) await db.insert(contentTerm).values(termIds.map((termId) => ({ contentId: id, termId })));
      return id;
    },
    async addTerm(row) {
      const slug = row.slug ?? row.name.toLowerCase();
      const [added] = await db
        .insert(term)
        .values({ taxonomy: 'category', slug, ...row })
        .returning({ id: term.id });
      return added?.id ?? 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await context.store.close();
    },
  };
}

async function addUsers(context: TestContext): Promise<Record<Role, number>> {
  const ids: Partial<Record<Role, number>> = {};
  for (const name of role.options) {
    const { id } = await createUser(context, { login: name, email: `${name}@origin.test`, role: name });
    await createApplicationPassword(context, { userId: id, name: 'tests', plain: testPassword(name) });
    ids[name] = id;
  }
  return ids as Record<Role, number>;
}

/** Fills the columns of a published post with fixed dates, unless the row sets them. */
function fillContent(row: NewContent, authorId: number, number: number): typeof content.$inferInsert {
  const date = row.date ?? '2026-01-05 09:00:00';
  const modified = row.modified ?? date;
  return {
    type: 'post',
    status: 'publish',
    slug: `row-${number}`,
    title: `Row ${number}`,
    authorId,
    date,
    dateGmt: date,
    modified,
    modifiedGmt: modified,
    ...row,
  };
}
