// Polls the progress of regeneration jobs. Without this script, the link "Refresh" does the same.
const PAUSE_MS = 1000;
const jobs = document.getElementById('jobs');
const state = document.getElementById('job-state');

function show(page) {
  const focused = document.activeElement?.id;
  // Keeps opened lists open.
  const open = new Set([...jobs.querySelectorAll('details[open]')].map(({ id }) => id));
  for (const list of page.querySelectorAll('details')) if (open.has(list.id)) list.open = true;
  jobs.replaceChildren(...page.body.childNodes);
  if (focused) document.getElementById(focused)?.focus();
  const said = jobs.querySelector('[data-state]')?.textContent ?? '';
  if (said !== state.textContent) state.textContent = said;
}

async function update() {
  try {
    const answer = await fetch(jobs.dataset.progress);
    // Signed out: keeps the last state.
    if (answer.redirected) return;
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // Offline: retried after the pause.
  }
  watch();
}

function watch() {
  if (jobs?.querySelector('[data-open]')) setTimeout(() => void update(), PAUSE_MS);
}

watch();
