import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { getClientAddress, getClientNetwork } from '#origin/platform/context/client-address.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import {
  pageResponse,
  renderProblem,
  renderPage,
  type Html,
  isFormTokenValid,
  signForm,
  TOKEN_FIELD,
  type FormVariables,
} from './account-page.ts';
import { verifyQueue } from './passwords.ts';
import { findSession, openSession, preSession, sessionCookie } from './sessions.ts';
import { throttleAccount, findUserByPassword, findUserByLogin } from './users.ts';
import { hash } from 'node:crypto';

const FAILURES = 5;

/** Maximum number of waiting attempts per source. */
const MAX_WAITING = 20;

/** Delay of each attempt beyond the limit. Attempts run one at a time, so this bounds the rate of guesses. */
const PAUSE_MS = 200;

const BUSY_SECONDS = 5;

const WRONG = 'Benutzername oder Passwort stimmen nicht. Bitte prüfen Sie beides.';
const STALE = 'Das Formular war nicht mehr gültig. Bitte senden Sie es noch einmal.';

/** Serves `sign-in/`: shows the form on GET, signs in on POST. */
export function serveSignIn(context: OriginContext) {
  const preSessionCookie = preSession(context);
  const signIn = signInAttempts(context);

  async function formPage(c: Context, form: Omit<SignInForm, 'formToken'>, status = 200, headers: HeadersInit = {}) {
    const value = preSessionCookie.read(c.req.header('cookie')) || preSessionCookie.make();
    const body = renderSignIn({ ...form, formToken: signForm(context, 'sign-in', value) });
    const title = form.problem === undefined ? 'Anmelden' : 'Fehler: Anmelden';
    const allHeaders = new Headers({ ...headers, 'Cache-Control': 'no-store' });
    allHeaders.append('Set-Cookie', preSessionCookie.cookie(value));
    return pageResponse(await renderPage(context, { title, body }), status, allHeaders);
  }

  return {
    async show(c: Context) {
      const next = parseNextPath(c.req.query('next'));
      const session = await findSession(context, c.req.header('cookie'));
      return session ? c.redirect(next ?? '/admin/', 303) : formPage(c, { next });
    },

    async submit(c: Context<FormVariables>) {
      const form = c.get('form');
      const next = parseNextPath(form['next']);
      const login = textOf(form['login']).slice(0, 200);
      const binding = preSessionCookie.read(c.req.header('cookie'));
      if (!isFormTokenValid(context, 'sign-in', binding, form[TOKEN_FIELD])) {
        return formPage(c, { next, login, problem: STALE }, 403);
      }
      const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
      const source = getClientNetwork(getClientAddress(incoming, c.req.raw.headers, context.trustedProxies));
      const outcome = await signIn(source, login, textOf(form['password']).slice(0, 1024));
      if (outcome === 'wrong') return formPage(c, { next, login, problem: WRONG, isMistyped: true }, 422);
      if ('waitSeconds' in outcome) {
        const { waitSeconds } = outcome;
        const problem = `Zu viele Versuche. Bitte versuchen Sie es in ${minutesOf(waitSeconds)} erneut.`;
        return formPage(c, { next, login, problem }, 429, { 'Retry-After': String(waitSeconds) });
      }
      c.header('Set-Cookie', sessionCookie(context, await openSession(context, outcome.user.id)), { append: true });
      c.header('Set-Cookie', preSessionCookie.cookie(), { append: true });
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

/**
 * Signs in with a password. The correct one always works, regardless of earlier failures. After a few failures,
 * attempts are delayed. Takes the same time whether the user exists or not.
 */
function signInAttempts(context: OriginContext) {
  const countAttempt = failureThrottle(FAILURES);
  const enqueue = verifyQueue(MAX_WAITING);
  return async (source: string, loginOrEmail: string, password: string) => {
    const account = throttleAccount(await findUserByLogin(context, loginOrEmail), loginOrEmail);
    const attempt = countAttempt(source, account);
    const isSlow = attempt.waitSeconds !== undefined;
    // Slow attempts use a queue per account, so that they don't delay other users of the same source.
    const verified = await enqueue(isSlow ? `${source}\n${account}` : source, async () => {
      if (isSlow) await sleep(PAUSE_MS);
      return { user: await findUserByPassword(context, loginOrEmail, password) };
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
  /** Error message of the previous attempt. */
  problem?: string;
  /** True if login or password were wrong. The page doesn't reveal which. */
  isMistyped?: boolean;
}

function renderSignIn({ formToken, next, login = '', problem, isMistyped = false }: SignInForm): Html {
  const invalid = isMistyped ? html`aria-invalid="true" aria-describedby="problem"` : '';
  return html`<div class="narrow">
    <h1>Anmelden</h1>
    ${problem === undefined ? '' : renderProblem('Anmeldung nicht möglich', problem)}
    <form class="wide" method="post" action="/admin/sign-in/">
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
      <button class="button">Anmelden</button>
    </form>
  </div>`;
}

/**
 * Parses the path to redirect to after a form: a path of this site with its query. Undefined for everything else.
 *
 * Rejects values that browsers read as another host: `//host`, `/\host`, and the same with white space.
 */
export function parseNextPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?!\/)[^\\\p{Cc}\s]*$/u.test(value)) return undefined;
  const base = 'http://same-site.invalid';
  if (!URL.canParse(value, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(value, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : undefined;
}

/**
 * Counts failed attempts of a source at an account, within this process.
 *
 * An attempt is counted before its password is checked, so that parallel attempts don't slip through. It counts as
 * failed until `succeed` is called. Memory is bounded: only a digest of each pair is stored.
 *
 * @param failures number of failures before further attempts have to wait
 * @param maxEntries maximum number of remembered pairs; the oldest is evicted first
 */
export function failureThrottle(failures: number, { windowMs = 15 * 60 * 1000, maxEntries = 20_000 } = {}) {
  // Sorted by expiry, as all entries live equally long.
  const entries = new Map<string, { count: number; endsAt: number }>();
  return (source: string, account: string) => {
    const now = Date.now();
    for (const [key, { endsAt }] of entries) {
      if (endsAt > now && entries.size <= maxEntries) break;
      entries.delete(key);
    }
    const key = hash('sha256', `${source}\n${account}`, 'base64').slice(0, 22);
    const entry = entries.get(key) ?? { count: 0, endsAt: now + windowMs };
    entries.set(key, entry);
    entry.count += 1;
    return {
      /** Seconds until earlier failures expire. Undefined while there were few enough of them. */
      waitSeconds: entry.count > failures ? Math.ceil((entry.endsAt - now) / 1000) : undefined,
      /** Marks the attempt as successful and clears earlier failures. */
      succeed: () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    };
  };
}
