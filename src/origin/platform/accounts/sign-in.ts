import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { NO_PROXIES, requestAddress, sourceOf } from '#origin/platform/context/client-address.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { pageResponse, renderPage, type Html } from './account-page.ts';
import { failureThrottle } from './failure-throttle.ts';
import { verifyQueue } from './passwords.ts';
import { TOKEN_FIELD, type FormVariables } from './read-form.ts';
import { findSession, openSession, preSession, sessionCookie } from './sessions.ts';
import { isFormSigned, signForm } from './signed-forms.ts';
import { accountOf, findPasswordOwner, findUserByLogin, type UserRow } from './users.ts';

const FAILURES = 5;

/** Attempts of one source that may wait for their turn. */
const MAX_WAITING = 20;

/** What each attempt beyond the limit has to wait, one after the other: guessing goes on at that pace and no faster. */
const PAUSE_MS = 200;

const BUSY_SECONDS = 5;

const WRONG = 'Benutzername oder Passwort stimmen nicht. Bitte prüfen Sie beides.';
const STALE = 'Das Formular war nicht mehr gültig. Bitte senden Sie es noch einmal.';

/** `sign-in/`: the form on GET, the signing in on POST. */
export function serveSignIn(context: OriginContext): {
  show(c: Context): Promise<Response>;
  take(c: Context<FormVariables>): Promise<Response>;
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
      const form = c.get('form');
      const next = readNext(form['next']);
      const login = textOf(form['login']).slice(0, 200);
      const binding = visit.read(c.req.header('cookie'));
      if (!isFormSigned(context, 'sign-in', binding, form[TOKEN_FIELD])) {
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

type SignInOutcome = { user: UserRow } | { waitSeconds: number } | 'wrong';

type TrySignIn = (source: string, loginOrEmail: string, password: string) => Promise<SignInOutcome>;

/**
 * Signs in with a password. The right one always works, however many wrong ones were sent before. Wrong ones have to
 * wait after a few, and are checked slowly from then on. Takes the same time whether the user exists or not.
 */
function signInAttempts(context: OriginContext): TrySignIn {
  const attemptOf = failureThrottle({ failures: FAILURES });
  const enqueue = verifyQueue(MAX_WAITING);
  return async (source, loginOrEmail, password) => {
    const account = accountOf(await findUserByLogin(context, loginOrEmail), loginOrEmail);
    const attempt = attemptOf(source, account);
    const isSlow = attempt.waitSeconds !== undefined;
    // Who is slowed down does not hold up others of the same source.
    const verified = await enqueue(isSlow ? `${source}\n${account}` : source, async () => {
      if (isSlow) await sleep(PAUSE_MS);
      return { user: await findPasswordOwner(context, loginOrEmail, password) };
    });
    if (verified === undefined) return { waitSeconds: BUSY_SECONDS };
    if (verified.user) {
      attempt.succeed();
      return { user: verified.user };
    }
    return attempt.waitSeconds === undefined ? 'wrong' : { waitSeconds: attempt.waitSeconds };
  };
}

interface SignInForm {
  formToken: string;
  next?: string | undefined;
  login?: string;
  /** What went wrong with the last try, as a sentence. */
  problem?: string;
  /** Whether it was the login or the password that was wrong; the page never says which. */
  isMistyped?: boolean;
}

/** The body of the sign-in page. */
function renderSignIn({ formToken, next, login = '', problem, isMistyped = false }: SignInForm): Html {
  const invalid = isMistyped ? html`aria-invalid="true" aria-describedby="fehler"` : '';
  return html`<div class="narrow">
    <h1>Anmelden</h1>
    ${problem === undefined ? '' : renderProblem(problem)}
    <form class="card wide" method="post" action="/admin/sign-in/">
      <input type="hidden" name="form_token" value="${formToken}" />
      ${next === undefined ? '' : html`<input type="hidden" name="next" value="${next}" />`}
      <div class="field">
        <label for="login">Benutzername oder E-Mail-Adresse</label>
        <input
          id="login"
          name="login"
          value="${login}"
          required
          maxlength="200"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          ${invalid}
        />
      </div>
      <div class="field">
        <label for="password">Passwort</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          maxlength="1024"
          autocomplete="current-password"
          ${invalid}
        />
      </div>
      <button>Anmelden</button>
    </form>
  </div>`;
}

function renderProblem(problem: string): Html {
  return html`<div class="alert" role="alert" id="fehler">
    <h2>Anmeldung nicht möglich</h2>
    <p>${problem}</p>
  </div>`;
}

/**
 * Where to go after a form: a path of this site with its query, or undefined for everything else.
 * Refuses what browsers read as another host: `//host`, `/\host`, and the same with the white space they drop.
 */
export function readNext(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?!\/)[^\\\p{Cc}\s]*$/u.test(value)) return undefined;
  const base = 'http://same-site.invalid';
  if (!URL.canParse(value, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(value, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : undefined;
}
