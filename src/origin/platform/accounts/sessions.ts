import { randomBytes } from 'node:crypto';
import { lt, and, eq, gt } from 'drizzle-orm';
import { parse, serialize } from 'hono/utils/cookie';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { session, user } from '#origin/platform/store/schema.ts';
import { hashSecret } from './sealed-texts.ts';

export const SESSION_COOKIE = 'sortiment_session';

const SESSION_SECONDS = 12 * 60 * 60;

/** Signs a browser in and returns the key for its cookie. Only the key's hash is stored. Deletes expired sessions. */
export async function openSession(context: OriginContext, userId: number): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  await context.store.db.delete(session).where(lt(session.expiresAt, new Date()));
  await context.store.db.insert(session).values({ hash: hashSecret(key), userId, expiresAt });
  return key;
}

/** The ID is the hash of the session key. Forms are bound to it; it is not secret. */
export type BrowserSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** Finds the session of a `Cookie` header. Undefined if it has expired or its user is inactive. */
export async function findSession(context: OriginContext, cookieHeader: string | undefined) {
  const key = cookieHeader && parse(cookieHeader, SESSION_COOKIE)[SESSION_COOKIE];
  if (!key) return undefined;
  const id = hashSecret(key);
  const [found] = await context.store.db
    .select({ user })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.hash, id), gt(session.expiresAt, new Date()), eq(user.active, true)))
    .limit(1);
  return found && { id, user: found.user };
}

/** Deletes a session, which invalidates its cookie. */
export async function closeSession(context: OriginContext, id: string): Promise<void> {
  await context.store.db.delete(session).where(eq(session.hash, id));
}

/** Returns the `Set-Cookie` value of a session. Without a key it deletes the cookie. */
export function sessionCookie(context: OriginContext, key?: string): string {
  const maxAge = key === undefined ? 0 : SESSION_SECONDS;
  return serialize(SESSION_COOKIE, key ?? '', { ...cookieOptions(context), maxAge });
}

function cookieOptions({ publicUrl }: OriginContext) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: publicUrl.startsWith('https:') } as const;
}

/** Cookie of a browser that is about to sign in. On https no subdomain can set it (`__Host-`). */
export function preSession(context: OriginContext) {
  const options = cookieOptions(context);
  const name = options.secure ? '__Host-sortiment_form' : 'sortiment_form';
  return {
    /** Returns the cookie's value, which the sign-in form is bound to. Empty without a cookie. */
    read: (cookieHeader?: string): string => (cookieHeader && parse(cookieHeader, name)[name]) || '',
    /** Creates a random value. */
    make: () => randomBytes(16).toString('base64url'),
    /** Returns the `Set-Cookie` value. Without a value it deletes the cookie. */
    cookie: (value?: string) => serialize(name, value ?? '', { ...options, ...(value === undefined && { maxAge: 0 }) }),
  };
}
