// Fetches previews and advice while the user types, and polls the progress of regeneration jobs. Without this script, the
// button "Check" and the link "Refresh" do the same.
const TYPING_PAUSE_MS = 400;
const POLL_PAUSE_MS = 1000;
const form = document.querySelector('form[data-check]');
const result = document.getElementById('result');
const summary = document.getElementById('summary');
let waiting;
let requests = 0;

/** Replaces the result, and announces its state. Opened lists stay open. */
async function show(response) {
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const focused = document.activeElement?.id;
  const open = new Set([...result.querySelectorAll('details[open]')].map(({ id }) => id));
  for (const list of page.querySelectorAll('details')) if (open.has(list.id)) list.open = true;
  result.replaceChildren(...page.body.childNodes);
  if (focused) document.getElementById(focused)?.focus();
  const state = result.querySelector('[data-state]')?.textContent ?? '';
  if (state !== summary.textContent) summary.textContent = state;
}

async function check() {
  const request = ++requests;
  try {
    const response = await fetch(form.dataset.check, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if (response.ok && request === requests) await show(response);
  } catch {
    // Offline: retried on the next input.
  }
}

async function poll() {
  try {
    const response = await fetch(result.dataset.progress);
    // Signed out: keeps the last state.
    if (response.redirected) return;
    if (response.ok) await show(response);
  } catch {
    // Offline: retried after the pause.
  }
  watch();
}

function watch() {
  if (result?.querySelector('[data-open]')) setTimeout(() => void poll(), POLL_PAUSE_MS);
}

form?.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => void check(), TYPING_PAUSE_MS);
});
watch();
