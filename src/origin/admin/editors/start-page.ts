import { and, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { html } from 'hono/html';
import { loadSeoOptions } from '#origin/namespaces/seo/options.ts';
import type { Html } from '#origin/platform/accounts/account-page.ts';
import { isEditableBy } from '#origin/platform/content/content-rights.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { EDITORS_PATH, PICTURES_PATH } from '#origin/platform/site/editor-links.ts';
import { comment, content, outbox } from '#origin/platform/store/schema.ts';
import { editorPageResponse, type EditorRequest, type EditorTexts } from './editor-request.ts';
import { lacksAltText, listEditableKinds, matchesFilters, STATUSES, type ListQuery } from './object-list.ts';

/** Filters of the list whose matches need attention, most urgent first. */
const ISSUES = {
  pending: { status: 'pending' },
  drafts: { status: 'draft' },
  scheduled: { status: 'future' },
  undescribed: { status: 'publish', missing: 'description' },
  unphrased: { status: 'publish', missing: 'focus_keyphrase' },
  poorSeo: { status: 'publish', seo_filter: 'bad' },
} as const satisfies Partial<Record<keyof EditorTexts, Partial<ListQuery>>>;

type Issue = keyof typeof ISSUES | 'noAltText';

/** Something to do: its number and links to the affected rows. */
interface Todo {
  word: keyof EditorTexts;
  hint?: string;
  links?: readonly { name: string; href: string; total: number }[];
  total: number;
}

/** `GET /admin/`: shows what needs attention. */
export async function getStartPage(request: EditorRequest): Promise<Response> {
  const { words } = request;
  const [texts, messages] = await Promise.all([findTexts(request), findMessages(request)]);
  const todos = [...messages, ...texts].filter(({ total }) => total > 0);
  const body =
    todos.length === 0
      ? html`<p class="lead">${words.nothingToDo}</p>`
      : html`<ul class="todo">
          ${todos.map((todo) => renderTodo(words, todo))}
        </ul>`;
  return editorPageResponse(request, { title: words.todo, body, section: 'todo' });
}

function renderTodo(words: EditorTexts, { word, hint, links = [], total }: Todo): Html {
  return html`<li>
    <strong>${total}</strong>
    <div>
      <h2>${words[word]}</h2>
      ${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
    </div>
    ${
      links.length === 0
        ? ''
        : html`<ul class="options">
            ${links.map(
              ({ name, href, total: found }) =>
                html`<li>
                  <a href="${href}"
                    ><span class="visually-hidden">${words[word]}: </span>${name} <small>${found}</small></a
                  >
                </li>`,
            )}
          </ul>`
    }
  </li>`;
}

/** Counts the affected texts and images that the user can edit, in one statement. */
async function findTexts(request: EditorRequest): Promise<Todo[]> {
  const { context, caller, words } = request;
  const kinds = listEditableKinds(request).filter(([type]) => context.kinds.has(type));
  const { templates } = await loadSeoOptions({ context });
  const names = new Map(kinds);
  if (can(caller, 'manage_options')) names.set('attachment', words.pictures);
  const countIf = (condition: SQL | undefined) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number);
  const isText = inArray(content.status, [...STATUSES]);
  const countIssue = ([issue, filter]: [string, Partial<ListQuery>]) =>
    [issue, countIf(and(isText, matchesFilters(filter)))] as const;
  const counts: Record<string, SQL<number>> = {
    ...Object.fromEntries(Object.entries(ISSUES).map(countIssue)),
    noAltText: countIf(lacksAltText()),
  };
  const counted = await context.store.db
    .select({ type: content.type, counts })
    .from(content)
    .where(and(inArray(content.type, [...names.keys()]), isEditableBy(caller)))
    .groupBy(content.type);
  const countsByType = new Map(counted.map((row) => [row.type, row.counts]));
  // A template with variables describes each text.
  const isDescribed = (type: string) => templates[type]?.description?.includes('%%') === true;
  const linksTo = (issue: Issue) =>
    [...names].flatMap(([type, name]) => {
      const total = countsByType.get(type)?.[issue] ?? 0;
      if (total === 0 || (issue === 'undescribed' && isDescribed(type))) return [];
      const href =
        issue === 'noAltText'
          ? `${PICTURES_PATH}?missing=alt`
          : `${EDITORS_PATH}?${new URLSearchParams({ type, ...ISSUES[issue] })}`;
      return [{ name, href, total }];
    });
  return (Object.keys(counts) as Issue[]).map((word) => {
    const links = linksTo(word);
    return { word, links, total: links.reduce((sum, { total }) => sum + total, 0) };
  });
}

/** Counts waiting comments and undelivered announcements, in one statement. */
async function findMessages({ context, caller, words }: EditorRequest): Promise<Todo[]> {
  const canModerate = can(caller, 'moderate_comments');
  const canManage = can(caller, 'manage_options') && context.hasReceivers === true;
  if (!canModerate && !canManage) return [];
  const { db } = context.store;
  const isUndelivered = and(isNull(outbox.doneAt), gt(outbox.attempts, 0));
  const [found] = await db
    .select({
      comments: sql<number>`count(*)`.mapWith(Number),
      failed: sql<number>`(select count(*) from ${outbox} where ${isUndelivered})`.mapWith(Number),
    })
    .from(comment)
    .where(eq(comment.status, 'hold'));
  return [
    { word: 'commentsWaiting', hint: words.commentsHint, total: canModerate ? (found?.comments ?? 0) : 0 },
    { word: 'undelivered', hint: words.undeliveredHint, total: canManage ? (found?.failed ?? 0) : 0 },
  ];
}
