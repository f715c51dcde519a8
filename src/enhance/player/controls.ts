import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { fillPlaceholders, findElement } from '../find-element.ts';
import { type Chapters, spokenTime } from './chapters.ts';
import { loadSpeed, saveSpeed, type Playback } from './playback.ts';

export type ControlTexts = Readonly<Record<'play' | 'pause' | 'mute' | 'unmute' | 'position', string>>;

/** Step of an arrow key, in seconds. */
const STEP = 5;

/** Keyboard skips in seconds, as in most players. */
const SKIPS: Readonly<Record<string, number>> = { ArrowLeft: -STEP, ArrowRight: STEP, j: -15, l: 30 };

/** Replaces the browser's control with buttons. */
export function startControls(player: HTMLElement, playback: Playback, chapters: Chapters, texts: ControlTexts): void {
  const { audio, position, duration, seek, toggle } = playback;
  const controls = findElement(player, '[data-controls]', HTMLElement);
  const find = (name: string): HTMLElement => findElement(controls, `[data-${name}]`, HTMLElement);
  const [playButton, muteButton] = [find('play'), find('mute')];
  const slider = findElement(controls, '[data-seek]', HTMLInputElement);
  const volume = findElement(controls, '[data-volume]', HTMLInputElement);
  const speed = findElement(controls, '[data-speed]', HTMLSelectElement);
  const { lang } = document.documentElement;
  let isSliding = false;

  const showTime = (): void => {
    const seconds = isSliding ? slider.valueAsNumber : position();
    const whole = duration();
    if (!isSliding) slider.value = String(seconds);
    // A screen reader shouldn't announce every second during playback.
    if (audio.paused || isSliding || document.activeElement !== slider || audio.seeking)
      slider.setAttribute('aria-valuetext', formatPosition(seconds));
    slider.style.setProperty('--played', `${whole > 0 ? (seconds / whole) * 100 : 0}%`);
    find('elapsed').textContent = shortPlayTime(seconds * 1000);
  };
  const formatPosition = (seconds: number): string => {
    const times = { position: spokenTime(seconds, lang), duration: spokenTime(duration(), lang) };
    const chapter = chapters.at(seconds)?.title;
    return fillPlaceholders(texts.position, times) + (chapter ? `, ${chapter}` : '');
  };
  const showDuration = (): void => {
    slider.max = String(duration());
    find('total').textContent = shortPlayTime(duration() * 1000);
    chapters.drawMarks(find('marks'), duration());
    showTime();
  };
  const showState = (): void => {
    player.classList.toggle('is-playing', !audio.paused);
    nameButton(playButton, audio.paused ? texts.play : texts.pause);
  };
  const showVolume = (): void => {
    const isSilent = audio.muted || audio.volume === 0;
    player.classList.toggle('is-silent', isSilent);
    nameButton(muteButton, isSilent ? texts.unmute : texts.mute);
    volume.value = String(audio.muted ? 0 : audio.volume);
    volume.style.setProperty('--played', `${volume.valueAsNumber * 100}%`);
  };

  for (const event of ['timeupdate', 'seeking', 'seeked']) audio.addEventListener(event, showTime);
  for (const event of ['play', 'pause', 'ended']) audio.addEventListener(event, showState);
  audio.addEventListener('durationchange', showDuration);
  audio.addEventListener('volumechange', showVolume);
  audio.addEventListener('waiting', () => player.classList.add('is-waiting'));
  for (const event of ['playing', 'pause', 'canplay', 'error'])
    audio.addEventListener(event, () => player.classList.remove('is-waiting'));

  playButton.addEventListener('click', toggle);
  for (const button of controls.querySelectorAll<HTMLElement>('[data-skip]'))
    button.addEventListener('click', () => seek(position() + Number(button.dataset['skip'])));
  slider.addEventListener('input', () => {
    isSliding = true;
    showTime();
  });
  slider.addEventListener('change', () => {
    isSliding = false;
    seek(slider.valueAsNumber);
  });
  startPeek(slider, find('peek'), (seconds) =>
    [shortPlayTime(seconds * 1000), chapters.at(seconds)?.title].filter(Boolean).join(' · '),
  );
  muteButton.addEventListener('click', () => {
    audio.muted = !audio.muted;
    if (!audio.muted && audio.volume === 0) audio.volume = 1;
  });
  volume.addEventListener('input', () => {
    audio.muted = false;
    audio.volume = volume.valueAsNumber;
  });
  const setSpeed = (rate: number): void => {
    audio.defaultPlaybackRate = rate;
    audio.playbackRate = rate;
  };
  const storedSpeed = loadSpeed();
  if ([...speed.options].some(({ value }) => Number(value) === storedSpeed)) speed.value = String(storedSpeed);
  setSpeed(Number(speed.value));
  speed.addEventListener('change', () => {
    setSpeed(Number(speed.value));
    saveSpeed(Number(speed.value));
  });
  player.addEventListener('keydown', (event) => {
    const action = getAction(event, slider);
    if (!action) return;
    event.preventDefault();
    if (action === 'toggle') toggle();
    else seek(position() + action.skip);
  });

  showDuration();
  showState();
  showVolume();
  audio.controls = false;
  audio.hidden = true;
  controls.hidden = false;
}

function nameButton(button: HTMLElement, name: string): void {
  button.setAttribute('aria-label', name);
  button.title = name;
}

/** Returns the action of a key at the focused element; undefined if the browser or a field handles it. */
function getAction(
  { key, target, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  slider: HTMLElement,
): 'toggle' | { skip: number } | undefined {
  if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof Element)) return undefined;
  const isSlider = target === slider;
  if (!isSlider && target.matches('input, select, textarea, [contenteditable]')) return undefined;
  // The space key activates buttons and links, and scrolls a transcript.
  if (key === ' ') return isSlider || target.matches('[data-player]') ? 'toggle' : undefined;
  if (key === 'k') return 'toggle';
  const skip =
    SKIPS[key] ?? (isSlider ? { ArrowDown: -STEP, ArrowUp: STEP, PageDown: -60, PageUp: 60 }[key] : undefined);
  return skip === undefined ? undefined : { skip };
}

/** Shows the time and chapter under the pointer. */
function startPeek(slider: HTMLInputElement, peek: HTMLElement, formatTime: (seconds: number) => string): void {
  slider.addEventListener('pointermove', ({ clientX, pointerType }) => {
    const { left, width } = slider.getBoundingClientRect();
    const part = Math.min(Math.max((clientX - left) / width, 0), 1);
    peek.textContent = formatTime(part * Number(slider.max));
    peek.hidden = pointerType === 'touch' && !slider.matches(':active');
    const half = peek.offsetWidth / 2;
    peek.style.setProperty('inset-inline-start', `${Math.min(Math.max(part * width, half), width - half)}px`);
  });
  for (const event of ['pointerleave', 'pointerup', 'pointercancel'])
    slider.addEventListener(event, () => (peek.hidden = true));
}
