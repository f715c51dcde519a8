import { z } from 'zod';

const text = z.string();
const user = z.looseObject({ login: text, name: text.optional() });
const bootstrap = z.looseObject({ site: z.looseObject({}), users: z.array(user) });

const index = z.looseObject({ _links: z.looseObject({ 'wp:active-theme': z.array(z.looseObject({ href: text })) }) });

const step = z.looseObject({
  request: z.looseObject({ method: text, path: text, auth: text.optional() }),
  response: z.looseObject({ body: z.unknown() }).optional(),
});

/** Fields of a user in recordings, by the names of a bootstrap file. */
type Fields = Record<string, string>;

/** Objects that contain a user, and their field names in a bootstrap file. */
const SIGHTINGS: readonly { marks: readonly string[]; login(found: Fields): string | undefined; fields: Fields }[] = [
  { marks: ['slug', 'name', 'avatar_urls'], login: ({ slug }) => slug, fields: { name: 'name' } },
  {
    marks: ['author_name', 'author_url', 'provider_name'],
    login: ({ author_url: url = '' }) => /\/author\/([^/]+)\/?$/.exec(url)?.[1],
    fields: { author_name: 'name' },
  },
  {
    marks: ['user_login', 'display_name'],
    login: ({ user_login: login }) => login,
    fields: {
      display_name: 'name',
      nickname: 'nickname',
      first_name: 'firstName',
      last_name: 'lastName',
      description: 'description',
    },
  },
];

const PASSWORDS = /\/users\/me\/application-passwords(\/introspect)?$/;
const password = z.looseObject({ uuid: text, name: text });

/**
 * Completes the users and the theme of a bootstrap file from recorded responses: the recorded server may have other
 * names than the file.
 *
 * @param file Bootstrap file, as JSON.
 * @param recordings Requests with responses, one JSON per line.
 * @returns The completed file, as JSON.
 */
export function completeBootstrap(file: string, recordings: string): string {
  const plan = bootstrap.parse(JSON.parse(file));
  const fieldsByLogin = new Map(plan.users.map(({ login }) => [login, {} as Fields]));
  // A list shows the initial state only until something is added.
  const hasAdded = new Set<string>();
  const site: Fields = {};
  for (const line of recordings.split('\n').filter(Boolean)) {
    const { request, response } = step.parse(JSON.parse(line));
    findUsers(response?.body, fieldsByLogin);
    readTheme(response?.body, site);
    const [path, introspected] = PASSWORDS.exec(request.path) ?? [];
    const userFields = fieldsByLogin.get(request.auth ?? '');
    if (path === undefined || userFields === undefined) continue;
    if (request.method === 'POST') hasAdded.add(request.auth ?? '');
    if (introspected || !hasAdded.has(request.auth ?? '')) readPassword(response?.body, userFields);
  }
  const users = plan.users.map((row) => ({ ...row, ...fieldsByLogin.get(row.login) }));
  return JSON.stringify({ ...plan, site: { ...plan.site, ...site }, users }, null, 1);
}

/** The index shows editors the name of the site's theme. */
function readTheme(body: unknown, site: Fields): void {
  const [link] = index.safeParse(body).data?._links['wp:active-theme'] ?? [];
  const name = link?.href.split('/').at(-1);
  if (name) site['theme'] = name;
}

function findUsers(body: unknown, fieldsByLogin: ReadonlyMap<string, Fields>): void {
  if (Array.isArray(body)) for (const inner of body) findUsers(inner, fieldsByLogin);
  if (typeof body !== 'object' || body === null) return;
  for (const { marks, login, fields } of SIGHTINGS) {
    if (!marks.every((mark) => mark in body)) continue;
    const found = texts(body);
    const knownUser = fieldsByLogin.get(login(found) ?? '');
    if (!knownUser) continue;
    for (const [name, field] of Object.entries(fields)) if (found[name]) knownUser[field] = found[name];
  }
  for (const inner of Object.values(body)) findUsers(inner, fieldsByLogin);
}

function texts(body: object): Fields {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'));
}

/** Reads the application password, shown alone or as the only one in a list. */
function readPassword(body: unknown, userFields: Fields): void {
  const [only, ...rest] = [body].flat();
  const shown = password.safeParse(only);
  if (!shown.success || rest.length > 0) return;
  userFields['applicationPasswordName'] = shown.data.name;
  userFields['applicationPasswordId'] = shown.data.uuid;
}
