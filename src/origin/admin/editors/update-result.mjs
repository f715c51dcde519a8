// Fetches previews and advice while the user types. Without this script, the button "Check" does the same.
const PAUSE_MS = 400;
const form = document.querySelector('form[data-check]');
const result = document.getElementById('result');
const summary = document.getElementById('summary');
let waiting;
let asked = 0;

async function update() {
  const turn = ++asked;
  try {
    const answer = await fetch(form.dataset.check, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if (!answer.ok || turn !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    // Keeps opened lists open.
    const open = new Set([...result.querySelectorAll('details[open]')].map(({ id }) => id));
    for (const list of page.querySelectorAll('details')) if (open.has(list.id)) list.open = true;
    result.replaceChildren(...page.body.childNodes);
    summary.textContent = result.querySelector('[data-summary]')?.textContent ?? '';
  } catch {
    // Offline: retried on the next input.
  }
}

if (form && result && summary) {
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void update(), PAUSE_MS);
  });
}
