import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { NO_PROXIES, requestAddress, sourceOf } from '#origin/platform/context/client-address.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { findSession } from './find-session.ts';
import { isFormSigned } from './is-form-signed.ts';
import { openSession } from './open-session.ts';
import { pageResponse } from './page-response.ts';
import { preSession } from './pre-session.ts';
import { readNext } from './read-next.ts';
import { renderPage } from './render-page.ts';
import { renderSignIn, type SignInForm } from './render-sign-in.ts';
import { sessionCookie } from './session-cookie.ts';
import { signForm } from './sign-form.ts';
import { signInAttempts } from './try-sign-in.ts';

const WRONG = 'Benutzername oder Passwort stimmen nicht. Bitte prüfen Sie beides.';
const STALE = 'Das Formular war nicht mehr gültig. Bitte senden Sie es noch einmal.';

/** `sign-in/`: the form on GET, the signing in on POST. */
export function serveSignIn(context: OriginContext): {
  show(c: Context): Promise<Response>;
  take(c: Context): Promise<Response>;
} {
  const visit = preSession(context);
  const trySignIn = signInAttempts(context);

  async function answer(c: Context, form: Omit<SignInForm, 'formToken'>, status = 200, headers: HeadersInit = {}) {
    const value = visit.read(c.req.header('cookie')) || visit.make();
    const body = renderSignIn({ ...form, formToken: signForm(context, 'sign-in', value) });
    const title = form.problem === undefined ? 'Anmelden' : 'Fehler: Anmelden';
    const all = new Headers({ ...headers, 'Cache-Control': 'no-store' });
    all.append('Set-Cookie', visit.cookie(value));
    return pageResponse(await renderPage(context, { title, body }), status, all);
  }

  function sourceOfRequest(c: Context): string {
    const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
    return sourceOf(requestAddress(incoming, c.req.raw.headers, context.trustedProxies ?? NO_PROXIES));
  }

  return {
    async show(c) {
      const next = readNext(c.req.query('next'));
      const session = await findSession(context, c.req.header('cookie'));
      return session ? c.redirect(next ?? '/admin/', 303) : answer(c, { next });
    },

    async take(c) {
      const form = await c.req.parseBody();
      const next = readNext(form['next']);
      const login = textOf(form['login']).slice(0, 200);
      const binding = visit.read(c.req.header('cookie'));
      if (!isFormSigned(context, 'sign-in', binding, form['form_token'])) {
        return answer(c, { next, login, problem: STALE }, 403);
      }
      const outcome = await trySignIn(sourceOfRequest(c), login, textOf(form['password']).slice(0, 1024));
      if (outcome === 'wrong') return answer(c, { next, login, problem: WRONG, isMistyped: true }, 422);
      if ('waitSeconds' in outcome) {
        const { waitSeconds } = outcome;
        const problem = `Zu viele Versuche. Bitte versuchen Sie es in ${minutesOf(waitSeconds)} erneut.`;
        return answer(c, { next, login, problem }, 429, { 'Retry-After': String(waitSeconds) });
      }
      c.header('Set-Cookie', sessionCookie(context, await openSession(context, outcome.user.id)), { append: true });
      c.header('Set-Cookie', visit.cookie(), { append: true });
      c.header('Cache-Control', 'no-store');
      return c.redirect(next ?? '/admin/', 303);
    },
  };
}

function minutesOf(seconds: number): string {
  if (seconds < 60) return 'wenigen Sekunden';
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'einer Minute' : `${minutes} Minuten`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
