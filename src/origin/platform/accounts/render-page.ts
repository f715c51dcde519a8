import { html, raw } from 'hono/html';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { BrowserSession } from './find-session.ts';
import { PAGE_STYLE } from './page-style.ts';
import { signForm } from './sign-form.ts';

/** Markup in which every value was escaped. */
export type Html = ReturnType<typeof html>;

export interface Page {
  title: string;
  body: Html;
  /** The browser's session, if it has one: the head of the page then names the user and offers to sign out. */
  session?: BrowserSession | undefined;
  /** Path and query of the page itself, to come back to after signing in or out. Without one neither is offered. */
  path?: string;
}

/** A whole page of the origin, in German: head, the given body, foot. Holds no script. */
export async function renderPage(context: OriginContext, page: Page): Promise<string> {
  const markup = await html`<!doctype html>
    <html lang="de">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title} – Sortiment</title>
        ${raw(`<style>${PAGE_STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#inhalt">Zum Inhalt</a>
        <header class="bar">
          <a class="brand" href="/admin/">Sortiment</a>
          <div class="account">${renderAccount(context, page)}</div>
        </header>
        <main id="inhalt">${page.body}</main>
        <footer class="foot">Sortiment: Produktdaten und Inhalte aus eigener Hand.</footer>
      </body>
    </html> `;
  return String(markup);
}

function renderAccount(context: OriginContext, { session, path }: Page): Html | '' {
  if (path === undefined) return '';
  if (!session) return html`<a href="/admin/sign-in/?next=${encodeURIComponent(path)}">Anmelden</a>`;
  return html`<span>Angemeldet als ${session.user.name}</span>
    <form method="post" action="/admin/sign-out/">
      <input type="hidden" name="form_token" value="${signForm(context, 'sign-out', session.id)}" />
      <input type="hidden" name="next" value="${path}" />
      <button class="plain">Abmelden</button>
    </form>`;
}
