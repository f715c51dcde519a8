import { randomBytes } from 'node:crypto';
import { parse, serialize } from 'hono/utils/cookie';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

export interface PreSession {
  /** What the sign-in form is bound to before there is a session; empty if the browser sent none. */
  read(cookieHeader: string | undefined): string;
  /** A fresh value. */
  make(): string;
  /** The `Set-Cookie` value that hands it out; without one, that takes it away. */
  cookie(value?: string): string;
}

/** The cookie of a browser that is about to sign in. On https no subdomain can plant it (`__Host-`). */
export function preSession(context: OriginContext): PreSession {
  const secure = context.publicUrl.startsWith('https:');
  const name = secure ? '__Host-sortiment_form' : 'sortiment_form';
  return {
    read: (cookieHeader) => (cookieHeader && parse(cookieHeader, name)[name]) || '',
    make: () => randomBytes(16).toString('base64url'),
    cookie: (value) =>
      serialize(name, value ?? '', {
        path: '/',
        httpOnly: true,
        sameSite: 'Lax',
        secure,
        ...(value === undefined && { maxAge: 0 }),
      }),
  };
}
