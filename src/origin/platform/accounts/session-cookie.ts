import { serialize } from 'hono/utils/cookie';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

export const SESSION_COOKIE = 'sortiment_session';

/** How long a browser stays signed in. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** The `Set-Cookie` value that gives a browser its session; without a key, the one that takes it away. */
export function sessionCookie(context: OriginContext, key?: string): string {
  return serialize(SESSION_COOKIE, key ?? '', {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: context.publicUrl.startsWith('https:'),
    maxAge: key === undefined ? 0 : SESSION_SECONDS,
  });
}
