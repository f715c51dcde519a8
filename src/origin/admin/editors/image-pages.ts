import { and, desc, eq, inArray, notInArray } from 'drizzle-orm';
import { html } from 'hono/html';
import { THUMBNAIL_ERRORS, type PictureSizes, type JobStatus } from '#contracts/thumbnails/routes.ts';
import { presentSizes, regenerateImage } from '#origin/namespaces/thumbnails/regenerate.ts';
import { updateAllUsages } from '#origin/namespaces/thumbnails/usages/update-usages.ts';
import { type FormFields, type Html, pageResponse, renderTable } from '#origin/platform/accounts/account-page.ts';
import { matchesContentSearch, MEDIA_COLUMNS } from '#origin/platform/content/find-content.ts';
import { isEditableBy } from '#origin/platform/content/content-rights.ts';
import { errorFactory, RestError } from '#origin/platform/http/transport/rest-error.ts';
import { RESIZABLE_TYPES } from '#origin/platform/media/image-work.ts';
import { findRows } from '#origin/platform/content/resources/find-rows.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import { PICTURES_PATH } from '#origin/platform/site/editor-links.ts';
import {
  editorPageResponse,
  renderFormToken,
  errorPageResponse,
  renderProblems,
  redirectAfterPost,
  MAX_SEARCH_LENGTH,
  renderPaging,
  renderSearch,
  type EditorRequest,
  interpolate,
  type EditorTexts,
} from './editor-request.ts';
import { lacksAltText } from './object-list.ts';
import { renderCheckbox, renderSelect } from './edit-page.ts';
import { createJob, cancelJob, listJobs, type Job } from '#origin/namespaces/thumbnails/jobs/jobs.ts';

const PER_PAGE = 10;

/** Error code of an unknown image. */
const NO_IMAGE = 'thumbnails_regenerator_attachment_doesnt_exist';

/** Posts that are updated in one step. */
const POSTS_IN_STEP = 50;

/** `GET /thumbnails`: lists images with their sizes, and jobs that regenerate them. */
export async function getImagesPage(request: EditorRequest, problem?: string): Promise<Response> {
  const { words, context, caller, query: parameters } = request;
  const search = (parameters.get('s') ?? '').slice(0, MAX_SEARCH_LENGTH);
  const page = Math.max(1, Math.min(Number.parseInt(parameters.get('paged') ?? '1', 10) || 1, 1_000_000));
  const missing = parameters.get('missing') === 'alt' ? 'alt' : '';
  const { rows, total } = await findRows(context.store.db, content, {
    where: and(
      eq(content.type, 'attachment'),
      notInArray(content.status, ['trash', 'auto-draft']),
      missing === '' ? inArray(content.mimeType, [...RESIZABLE_TYPES]) : lacksAltText(),
      matchesContentSearch(search, caller, { columns: MEDIA_COLUMNS }),
      isEditableBy(caller),
    ),
    orderBy: [desc(content.id)],
    window: { limit: PER_PAGE, offset: (page - 1) * PER_PAGE },
  });
  const listed: (Html | string)[][] = [];
  for (const row of rows) listed.push(renderRow(words, row, await readSizes(request, row.id)));
  const addressOf = (to: number) =>
    `${PICTURES_PATH}?${new URLSearchParams({ s: search, missing, paged: String(to) })}`;
  const body = html`${problem === undefined ? '' : renderProblems(request, [problem])} ${await renderJobs(request)}
    <section aria-labelledby="pictures-title">
      <h2 id="pictures-title">${words.pictures}</h2>
      <form class="filter" method="get" action="${PICTURES_PATH}" role="search">
        ${renderSelect('missing', words.lacking, missing, [
          ['', words.any],
          ['alt', words.altText],
        ])}
        ${renderSearch(words, search)}
      </form>
      ${listed.length === 0 ? html`<p>${words.none}</p>` : renderTable(words.sizes, [words.picture, words.measures, words.sizes, words.missing, words.leftOver], listed)}
      ${renderPaging(words, { total, perPage: PER_PAGE }, page, addressOf)}
    </section>`;
  const view = { title: words.pictures, body, section: 'pictures' } as const;
  return editorPageResponse(request, view, problem === undefined ? 200 : 422);
}

/** `POST /thumbnails`: starts or cancels a job. */
export async function postImagesPage(request: EditorRequest, form: FormFields): Promise<Response> {
  const { context, caller, words } = request;
  if (form['action'] === 'cancel') {
    const id = Number(form['job']);
    if (Number.isSafeInteger(id)) await cancelJob(context, id);
  } else {
    const scope = form['scope'] === 'featured' ? 'featured' : 'all';
    const job = await createJob(context, { ...parseJobOptions(form), scope }, caller.user?.id ?? 0);
    if (!job) return getImagesPage(request, words.tooManyJobs);
  }
  return redirectAfterPost(PICTURES_PATH);
}

/** `GET /thumbnails/<id>`: shows the sizes of one image. */
export async function getImagePage(request: EditorRequest, id: number, problem?: string): Promise<Response> {
  const { words, query } = request;
  const sizes = Number.isSafeInteger(id) ? await readSizes(request, id) : NO_IMAGE;
  if (sizes === NO_IMAGE || sizes === 'thumbnails_regenerator_not_attachment')
    return errorPageResponse(request, 404, words.notFound);
  const sentence = problem ?? (typeof sizes === 'string' ? describeImageProblem(words, sizes) : undefined);
  const notice = query.has('done') ? html`<p class="notice" role="status">${words.remade}</p>` : '';
  const body = html`${sentence === undefined ? notice : renderProblems(request, [sentence])}
    ${typeof sizes === 'string' ? '' : renderSizes(words, sizes)}
    <form method="post" action="${PICTURES_PATH}/${id}">
      ${renderFormToken(request)}
      <fieldset>
        <legend>${words.makeSizes}</legend>
        ${renderJobOptions(words)}
        <button class="button">${words.begin}</button>
      </fieldset>
    </form>
    <p><a href="${PICTURES_PATH}">${words.toPictures}</a></p>`;
  const title = typeof sizes === 'string' ? interpolate(words.pictureName, { id }) : sizes.name;
  return editorPageResponse(request, { title, body, section: 'pictures' }, problem === undefined ? 200 : 422);
}

/** `POST /thumbnails/<id>`: regenerates the sizes of one image. */
export async function postImagePage(request: EditorRequest, id: number, form: FormFields): Promise<Response> {
  const { context, caller, words } = request;
  const options = parseJobOptions(form);
  try {
    await regenerateImage(scopeOf(request), id, options);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return getImagePage(request, id, describeImageProblem(words, error.code));
  }
  if (options.update_usages_in_posts)
    await updateAllUsages(context, { pictures: id, limit: POSTS_IN_STEP, authorId: caller.user?.id ?? 0 });
  return redirectAfterPost(`${PICTURES_PATH}/${id}?done`);
}

function scopeOf({ context }: EditorRequest) {
  return { context, refuse: errorFactory(THUMBNAIL_ERRORS, {}) };
}

/** Reads the sizes of an image, or returns the error code. */
async function readSizes(request: EditorRequest, id: number): Promise<PictureSizes | string> {
  try {
    return await presentSizes(scopeOf(request), id);
  } catch (error) {
    if (error instanceof RestError) return error.code;
    throw error;
  }
}

function renderRow(words: EditorTexts, { id, title }: Pick<ContentRow, 'id' | 'title'>, sizes: PictureSizes | string) {
  const name = html`<a href="${PICTURES_PATH}/${id}">${title || interpolate(words.pictureName, { id })}</a>`;
  if (typeof sizes === 'string') return [name, describeImageProblem(words, sizes), '', '', ''];
  const expected = sizes.registered_sizes.filter(({ filename }) => filename !== false);
  const missing = expected.filter(({ fileexists }) => !fileexists).map(({ label }) => label);
  return [
    name,
    `${sizes.width} × ${sizes.height}`,
    interpolate(words.sizesThere, { there: expected.length - missing.length, expected: expected.length }),
    missing.join(', '),
    sizes.unregistered_sizes.map(({ label }) => label).join(', '),
  ];
}

function renderSizes(words: EditorTexts, sizes: PictureSizes): Html {
  const { preview, relative_path, width, height, registered_sizes, unregistered_sizes } = sizes;
  const yesOrNo = (exists: boolean) => (exists ? words.isThere : words.isMissing);
  return html`<p>${preview === false ? '' : html`<img class="picture" src="${preview}" alt="" />`}</p>
    <p>${words.original}: ${relative_path}, ${width} × ${height}</p>
    ${renderTable(
      words.sizes,
      [words.size, words.atMost, words.file, words.status],
      registered_sizes.map((size) => [
        size.label,
        `${size.width} × ${size.height || '–'} ${size.crop ? words.cropped : ''}`,
        size.filename || '',
        size.filename === false ? words.notNeeded : yesOrNo(size.fileexists),
      ]),
      words.registeredSizes,
    )}
    ${
      unregistered_sizes.length === 0
        ? ''
        : html`<h2>${words.leftOver}</h2>
            <ul>
              ${unregistered_sizes.map(({ label, filename }) => html`<li>${label}: ${filename}</li>`)}
            </ul>`
    }`;
}

const SHOWN_JOBS = 5;
const SHOWN_PROBLEMS = 20;

const STATES = {
  waiting: 'jobWaiting',
  running: 'jobRunning',
  done: 'jobDone',
  cancelled: 'jobCancelled',
} as const satisfies Record<JobStatus, keyof EditorTexts>;

/** Renders the form that starts a job and the progress of the latest jobs, which a script keeps up to date. */
async function renderJobs(request: EditorRequest): Promise<Html> {
  const { words } = request;
  return html`<form method="post" action="${PICTURES_PATH}">
      ${renderFormToken(request)}
      <fieldset>
        <legend>${words.makeSizes}</legend>
        ${renderSelect('scope', words.whichPictures, 'all', [
          ['all', words.allPictures],
          ['featured', words.featuredPictures],
        ])}
        ${renderJobOptions(words)}
        <button class="button" name="action" value="begin">${words.begin}</button>
      </fieldset>
    </form>
    <section aria-labelledby="progress-title">
      <h2 id="progress-title">${words.jobs}</h2>
      <p class="visually-hidden" role="status" id="summary"></p>
      <div id="result" data-progress="${PICTURES_PATH}/progress">${await renderProgress(request)}</div>
      <p><a href="${PICTURES_PATH}">${words.refresh}</a></p>
    </section>`;
}

function renderJobOptions(words: EditorTexts): Html {
  return html`${renderCheckbox('only_missing', words.onlyMissing, true)}
  ${renderCheckbox('delete_others', words.deleteOthers, false)}
  ${renderCheckbox('update_posts', words.updatePosts, true)}`;
}

function parseJobOptions(form: FormFields) {
  return {
    only_regenerate_missing_thumbnails: form['only_missing'] === '1',
    delete_unregistered_thumbnail_files: form['delete_others'] === '1',
    update_usages_in_posts: form['update_posts'] === '1',
  };
}

/** `GET /thumbnails/progress`: responds to the polling script. */
export async function getProgress(request: EditorRequest): Promise<Response> {
  return pageResponse(String(await renderProgress(request)), 200, { 'Cache-Control': 'no-store' });
}

async function renderProgress(request: EditorRequest): Promise<Html> {
  const { rows } = await listJobs(request.context, { limit: SHOWN_JOBS, offset: 0 });
  if (rows.length === 0) return html`<p>${request.words.noJobs}</p>`;
  return html`<ul class="jobs">
    ${rows.map((job) => renderJob(request, job))}
  </ul>`;
}

function renderJob(request: EditorRequest, job: Job): Html {
  const { words, language } = request;
  const { id, status, total, done, failed, postsUpdated, problems } = job;
  const isOpen = status === 'waiting' || status === 'running';
  const form = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  const startedAt = job.createdAt.toLocaleString(language, form);
  const state = `${interpolate(words.jobName, { id })}: ${words[STATES[status]]}`;
  return html`<li ${isOpen ? html`data-open` : ''}>
    <p><strong data-state>${state}</strong> (${startedAt} UTC)</p>
    <p>
      <progress value="${done}" max="${Math.max(total, 1)}" aria-label="${state}"></progress>
      ${interpolate(words.jobProgress, { done, total })} ${failed > 0 ? interpolate(words.jobFailed, { failed }) : ''}
      ${postsUpdated > 0 ? interpolate(words.jobPosts, { posts: postsUpdated }) : ''}
    </p>
    ${problems.length > 0 ? renderJobProblems(words, id, problems.slice(0, SHOWN_PROBLEMS)) : ''}
    ${
      isOpen
        ? html`<form method="post" action="${PICTURES_PATH}">
            ${renderFormToken(request)} <input type="hidden" name="job" value="${id}" />
            <button class="button button--quiet" id="cancel-${id}" name="action" value="cancel">
              ${words.cancelJob}<span class="visually-hidden">: ${interpolate(words.jobName, { id })}</span>
            </button>
          </form>`
        : ''
    }
  </li>`;
}

function renderJobProblems(words: EditorTexts, jobId: number, problems: Job['problems']): Html {
  const link = (id: number) => html`<a href="${PICTURES_PATH}/${id}">${interpolate(words.pictureName, { id })}</a>`;
  return html`<details id="problems-${jobId}">
    <summary>${interpolate(words.jobProblems, { shown: problems.length })}</summary>
    <ul>
      ${problems.map(({ id, code }) => html`<li>${link(id)}: ${describeImageProblem(words, code)}</li>`)}
    </ul>
  </details>`;
}

const PROBLEMS: Readonly<Record<string, keyof EditorTexts>> = {
  [NO_IMAGE]: 'notFound',
  thumbnails_regenerator_is_site_icon: 'pictureIsIcon',
  thumbnails_regenerator_file_not_found: 'originalMissing',
  thumbnails_regenerator_no_metadata: 'pictureUnmeasured',
  image_no_editor: 'pictureUnreadable',
};

function describeImageProblem(words: EditorTexts, code: string): string {
  return words[PROBLEMS[code] ?? 'pictureFailed'];
}
