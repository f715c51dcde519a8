import { html } from 'hono/html';
import type { JobStatus } from '#contracts/thumbnails/routes.ts';
import { createJob, cancelJob, listJobs } from '#origin/namespaces/thumbnails/jobs/serve-jobs.ts';
import type { Job } from '#origin/namespaces/thumbnails/jobs/run-thumbnail-job.ts';
import { pageResponse, type Html } from '#origin/platform/accounts/account-page.ts';
import { PICTURES_PATH } from '#origin/platform/site/editor-links.ts';
import { renderCheckbox, renderSelect, type Form } from './edit-page.ts';
import { renderFormToken, type EditorRequest } from './editor-request.ts';
import { interpolate, type EditorTexts } from './texts/index.ts';

/** Number of jobs that are shown. */
const SHOWN = 5;

/** Number of a job's problems that are shown. */
const SHOWN_PROBLEMS = 20;

const STATES = {
  waiting: 'jobWaiting',
  running: 'jobRunning',
  done: 'jobDone',
  cancelled: 'jobCancelled',
} as const satisfies Record<JobStatus, keyof EditorTexts>;

/** Renders the form that starts a job and the progress of the latest jobs, which a script keeps up to date. */
export async function renderJobs(request: EditorRequest): Promise<Html> {
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
        <button name="action" value="begin">${words.begin}</button>
      </fieldset>
    </form>
    <section aria-labelledby="progress-title">
      <h2 id="progress-title">${words.jobs}</h2>
      <p class="unseen" role="status" id="job-state"></p>
      <div id="jobs" data-progress="${PICTURES_PATH}/progress">${await renderProgress(request)}</div>
      <p><a href="${PICTURES_PATH}">${words.refresh}</a></p>
    </section>`;
}

/** Renders the options for one image or many. */
export function renderJobOptions(words: EditorTexts): Html {
  return html`${renderCheckbox('only_missing', words.onlyMissing, true)}
  ${renderCheckbox('delete_others', words.deleteOthers, false)}
  ${renderCheckbox('update_posts', words.updatePosts, true)}`;
}

export function parseJobOptions(form: Form) {
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

/**
 * Starts or cancels a job.
 *
 * @returns the problem, if any
 */
export async function startOrCancelJob(
  { context, caller, words }: EditorRequest,
  form: Form,
): Promise<string | undefined> {
  if (form['action'] === 'cancel') {
    const id = Number(form['job']);
    if (Number.isSafeInteger(id)) await cancelJob(context, id);
    return undefined;
  }
  const scope = form['scope'] === 'featured' ? 'featured' : 'all';
  const job = await createJob(context, { ...parseJobOptions(form), scope }, caller.user?.id ?? 0);
  return job ? undefined : words.tooManyJobs;
}

async function renderProgress(request: EditorRequest): Promise<Html> {
  const { rows } = await listJobs(request.context, { limit: SHOWN, offset: 0 });
  if (rows.length === 0) return html`<p>${request.words.noJobs}</p>`;
  return html`<ul class="jobs">
    ${rows.map((job) => renderJob(request, job))}
  </ul>`;
}

function renderJob(request: EditorRequest, job: Job): Html {
  const { words, language } = request;
  const { id, status, total, done, failed, postsUpdated, problems } = job;
  const isOpen = status === 'waiting' || status === 'running';
  const startedAt = job.createdAt.toLocaleString(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const state = `${interpolate(words.jobName, { id })}: ${words[STATES[status]]}`;
  return html`<li ${isOpen ? html`data-open` : ''}>
    <p><strong data-state>${state}</strong> (${startedAt} UTC)</p>
    <p>
      <progress value="${done}" max="${Math.max(total, 1)}" aria-label="${state}"></progress>
      ${interpolate(words.jobProgress, { done, total })} ${failed > 0 ? interpolate(words.jobFailed, { failed }) : ''}
      ${postsUpdated > 0 ? interpolate(words.jobPosts, { posts: postsUpdated }) : ''}
    </p>
    ${
      problems.length > 0
        ? html`<details id="problems-${id}">
            <summary>${interpolate(words.jobProblems, { shown: Math.min(problems.length, SHOWN_PROBLEMS) })}</summary>
            <ul>
              ${problems
                .slice(0, SHOWN_PROBLEMS)
                .map(
                  (problem) =>
                    html`<li>
                      <a href="${PICTURES_PATH}/${problem.id}">${interpolate(words.pictureName, { id: problem.id })}</a
                      >: ${describeImageProblem(words, problem.code)}
                    </li>`,
                )}
            </ul>
          </details>`
        : ''
    }
    ${
      isOpen
        ? html`<form method="post" action="${PICTURES_PATH}">
            ${renderFormToken(request)} <input type="hidden" name="job" value="${id}" />
            <button class="plain" id="cancel-${id}" name="action" value="cancel">
              ${words.cancelJob}<span class="unseen">: ${interpolate(words.jobName, { id })}</span>
            </button>
          </form>`
        : ''
    }
  </li>`;
}

const PROBLEMS: Readonly<Record<string, keyof EditorTexts>> = {
  thumbnails_regenerator_attachment_doesnt_exist: 'notFound',
  thumbnails_regenerator_is_site_icon: 'pictureIsIcon',
  thumbnails_regenerator_file_not_found: 'originalMissing',
  thumbnails_regenerator_no_metadata: 'pictureUnmeasured',
  image_no_editor: 'pictureUnreadable',
};

/** Describes why an image can't be processed. */
export function describeImageProblem(words: EditorTexts, code: string): string {
  return words[PROBLEMS[code] ?? 'pictureFailed'];
}
