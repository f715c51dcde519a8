import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { fillText, findElement } from '../find-element.ts';
import type { Playback } from './playback.ts';

/** How long a button confirms that it has copied. */
const COPIED_MS = 2000;

/** Copies or shares the link to the episode, optionally with the current position, and the embed code. */
export function startShare(share: HTMLDetailsElement, { audio, position }: Playback, copied: string): void {
  const { share: address = '' } = share.dataset;
  const link = findElement(share, '[data-link]', HTMLInputElement);
  const from = findElement(share, '[data-from]', HTMLElement);
  const check = findElement(from, 'input', HTMLInputElement);
  const send = findElement(share, '[data-send]', HTMLElement);
  const show = (): void => {
    if (!share.open) return;
    const time = shortPlayTime(position() * 1000);
    fillText(findElement(from, 'span', HTMLElement), { time });
    from.hidden = position() < 1;
    link.value = check.checked && !from.hidden ? `${address}#t=${time}` : address;
  };
  for (const event of ['timeupdate', 'seeking']) audio.addEventListener(event, show);
  share.addEventListener('toggle', show);
  check.addEventListener('change', show);
  for (const button of share.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const field = share.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${button.dataset['copy'] ?? ''}`);
    if (field) startCopy(button, field, copied);
  }
  send.hidden = !('share' in navigator);
  send.addEventListener('click', () => {
    // The share dialog was cancelled.
    navigator.share({ title: document.title, url: link.value }).catch(() => undefined);
  });
}

function startCopy(button: HTMLButtonElement, field: HTMLInputElement | HTMLTextAreaElement, copied: string): void {
  const name = button.textContent;
  button.hidden = false;
  button.addEventListener('click', () => {
    field.select();
    // The selected text can be copied manually if the clipboard is not accessible.
    void navigator.clipboard?.writeText(field.value).then(
      () => {
        button.textContent = copied;
        setTimeout(() => {
          button.textContent = name;
        }, COPIED_MS);
      },
      () => undefined,
    );
  });
}
