import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { findViolations, findColourViolations } from './audit-accessibility.ts';
import { launchBrowser } from './launch-browser.ts';
import { measureOverflow } from './measure-overflow.ts';

const siteUrl = inject('siteUrl');
const EPISODE = `${siteUrl}/en-gb/podcast/minus-five/`;

let browser: Browser;
let context: BrowserContext;
let tab: Page;
let complaints: string[];
let requests: string[];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
afterEach(() => context.close());

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  complaints = [];
  requests = [];
  context = await browser.newContext(options);
  tab = await context.newPage();
  context.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('request', (request) => requests.push(request.url()));
}

/** Allows for a busy machine. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });
const positionIn = (page: Page | FrameLocator) => () =>
  page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime);
const position = () => positionIn(tab)();
const isPaused = () => tab.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused);
const shownTime = () => tab.locator('[data-elapsed]').textContent();
const button = (name: string) => tab.getByRole('button', { name, exact: true });
const play = () => button('Play').click();
const chapters = () => tab.locator('.chapter__jump');
const currentChapter = () => tab.locator('.chapter__jump[aria-current] .chapter__title').textContent();
const currentSentence = () => tab.locator('.transcript__text span[aria-current]');
const startOf = async (place: number) => Number(await chapters().nth(place).getAttribute('data-jump'));

/** True if the current sentence is visible in the transcript. */
const isInSight = () =>
  currentSentence().evaluate((sentence) => {
    const box = sentence.closest('.transcript__text')?.getBoundingClientRect();
    const { top, bottom } = sentence.getBoundingClientRect();
    return box !== undefined && top >= box.top && bottom <= box.bottom;
  });

describe('the player of an episode', () => {
  it('plays, jumps to chapters, and loads nothing before', async () => {
    await open();
    await tab.goto(EPISODE, { waitUntil: 'networkidle' });
    expect(requests.filter((url) => /\.(?:opus|mp3)/.test(url))).toEqual([]);
    await play();
    await soon(position).toBeGreaterThan(0.3);
    await soon(() => button('Pause').count()).toBe(1);
    const start = await startOf(2);
    await chapters().nth(2).click();
    await soon(position).toBeGreaterThan(start + 0.2);
    await soon(currentChapter).toBe(await chapters().nth(2).locator('.chapter__title').textContent());
    expect(await tab.locator('[data-now]').textContent()).toBe(await currentChapter());
    await soon(() => new URL(tab.url()).hash).toMatch(/^#t=\d+:\d\d$/);
    await button('Forward 30 seconds').click();
    await soon(position).toBeGreaterThan(start + 30);
    await tab.getByRole('combobox', { name: 'Speed' }).selectOption('1.5');
    expect(await tab.locator('audio').evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(1.5);
    await button('Pause').click();
    expect(await isPaused()).toBe(true);
    await tab.reload();
    expect(await tab.getByRole('combobox', { name: 'Speed' }).inputValue()).toBe('1.5');
    expect(requests.filter((url) => !url.startsWith(siteUrl))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('is the only one that plays, and tells the system what', async () => {
    await open();
    await tab.goto(EPISODE);
    await play();
    await soon(position).toBeGreaterThan(0.1);
    const said = await tab.evaluate(() => {
      const { title, artist, album, artwork } = navigator.mediaSession.metadata ?? new MediaMetadata();
      return { title, artist, album, pictures: artwork.map(({ src }) => src) };
    });
    expect(said).toEqual({
      title: await tab.locator('h1').textContent(),
      artist: 'Clearing the Air',
      album: await currentChapter(),
      pictures: [expect.stringMatching(new RegExp(`^${siteUrl}/_images/\\w+-\\d+\\.jpg$`))],
    });
    await tab.evaluate(async () => {
      const other = new Audio(document.querySelector('audio')?.currentSrc);
      other.id = 'other';
      document.body.append(other);
      await other.play();
    });
    // Another player stops when this one resumes.
    await button('Pause').click();
    await play();
    await soon(() => tab.locator('#other').evaluate((other: HTMLAudioElement) => other.paused)).toBe(true);
  });

  it('has the transcript follow, until the reader looks elsewhere', async () => {
    await open({ reducedMotion: 'reduce' });
    await tab.goto(EPISODE);
    await play();
    await chapters().nth(3).click();
    await soon(() => currentSentence().count()).toBe(1);
    await soon(isInSight).toBe(true);
    const box = tab.getByRole('region', { name: 'Transcript' });
    const page = await tab.evaluate(() => scrollY);
    const follow = tab.getByRole('button', { name: 'Follow along' });
    // Retries if the browser merges it with the player's own scroll event, which hides it.
    await soon(async () => {
      await box.evaluate((element) => element.scrollTo(0, 0));
      return follow.getAttribute('aria-pressed');
    }).toBe('false');
    const before = await currentSentence().textContent();
    await soon(() => currentSentence().textContent()).not.toBe(before);
    expect(await box.evaluate((element) => element.scrollTop)).toBe(0);
    expect(await tab.evaluate(() => scrollY)).toBe(page);
    await follow.click();
    await soon(isInSight).toBe(true);
    // The next sentence isn't reached before the check.
    await tab.locator('audio').evaluate((audio: HTMLAudioElement) => void (audio.playbackRate = 0));
    const sentence = box.locator('span[data-start]').nth(4);
    await sentence.click();
    await soon(() => sentence.getAttribute('aria-current')).toBe('true');
    expect(Math.abs((await position()) - Number(await sentence.getAttribute('data-start')))).toBeLessThan(1);
  });

  it('marks no sentence of the chapter before the one that was jumped to', async () => {
    await open({ reducedMotion: 'reduce' });
    await tab.goto(EPISODE);
    // Stays at its position.
    await tab.locator('audio').evaluate((audio: HTMLAudioElement) => void (audio.playbackRate = 0));
    for (let place = 1; place < (await chapters().count()); place += 1) {
      await chapters().nth(place).click();
      const start = await startOf(place);
      await soon(currentChapter).toBe(await chapters().nth(place).locator('.chapter__title').textContent());
      await soon(async () => {
        const marked = await currentSentence().evaluateAll((spans) => spans.map((span) => span.dataset['end']));
        return marked.every((end) => Number(end) > start);
      }).toBe(true);
    }
  });

  it('finds words in the transcript, one place after another', async () => {
    await open();
    await tab.goto(EPISODE);
    const search = tab.getByRole('searchbox', { name: 'Search the transcript' });
    await search.fill('FROST');
    const count = tab.locator('.transcript__count');
    await soon(() => count.textContent()).toMatch(/^1 of [2-9]/);
    await search.press('Enter');
    await soon(() => count.textContent()).toMatch(/^2 of/);
    await button('Previous match').click();
    await soon(() => count.textContent()).toMatch(/^1 of/);
    await search.fill('zzz');
    await soon(() => count.textContent()).toBe('nothing found');
  });

  it('goes on where it was left, and forgets what was heard to the end', async () => {
    await open();
    await tab.goto(EPISODE);
    await play();
    await button('Forward 30 seconds').click();
    await soon(position).toBeGreaterThan(30);
    await soon(() => tab.evaluate(() => Object.keys(localStorage).join())).toMatch(/^podcast-position:/);
    await tab.close();
    tab = await context.newPage();
    await tab.goto(EPISODE);
    await soon(shownTime).toMatch(/^0:3\d$/);
    expect(requests.filter((url) => url.endsWith('.opus')).length).toBeGreaterThan(0);
    await play();
    await soon(position).toBeGreaterThan(30);
    await tab.locator('audio').evaluate((audio: HTMLAudioElement) => {
      audio.currentTime = audio.duration - 0.3;
    });
    await soon(isPaused).toBe(true);
    await tab.reload();
    await soon(shownTime).toBe('0:00');
  });

  it('plays where nothing may be stored', async () => {
    await open();
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await tab.goto(EPISODE);
    await play();
    await soon(position).toBeGreaterThan(0.2);
    await button('Pause').click();
    expect(complaints).toEqual([]);
  });

  it('says so when nothing can be played, and plays as soon as it can', async () => {
    await open();
    await context.route(/\.(?:opus|mp3)$/, (route) => route.abort());
    await tab.goto(EPISODE);
    await play();
    await soon(() => tab.getByRole('alert').isVisible()).toBe(true);
    expect(await tab.getByRole('alert').textContent()).toContain('can’t be played');
    await context.unroute(/\.(?:opus|mp3)$/);
    await play();
    await soon(position).toBeGreaterThan(0.2);
    await soon(() => tab.getByRole('alert').isVisible()).toBe(false);
  });

  it('begins at the moment that its address names, and follows the address', async () => {
    await open();
    await tab.goto(`${EPISODE}#t=1:00`);
    await soon(shownTime).toBe('1:00');
    expect(await isPaused()).toBe(true);
    await play();
    await soon(position).toBeGreaterThan(60);
    await tab.evaluate(() => {
      location.hash = '#t=75';
    });
    await soon(position).toBeGreaterThan(75);
    await tab.evaluate(() => {
      location.hash = '#t=nonsense';
    });
    await tab.getByText('Share and download').click();
    await tab.getByRole('checkbox', { name: /^from 1:/ }).check();
    expect(await tab.getByRole('textbox', { name: 'Link to the episode' }).inputValue()).toMatch(
      /\/minus-five\/#t=1:\d\d$/,
    );
  });

  it('is used with the keyboard alone, and leaves fields theirs', async () => {
    await open();
    await tab.goto(EPISODE);
    await button('Play').focus();
    await tab.keyboard.press('Space');
    await soon(position).toBeGreaterThan(0.2);
    await tab.keyboard.press('l');
    await soon(position).toBeGreaterThan(30);
    await tab.keyboard.press('k');
    expect(await isPaused()).toBe(true);
    const slider = tab.getByRole('slider', { name: 'Position' });
    await slider.focus();
    const before = await position();
    await tab.keyboard.press('ArrowRight');
    await soon(position).toBeCloseTo(before + 5, 1);
    await soon(() => slider.getAttribute('aria-valuetext')).toMatch(
      /^\d+ seconds of 2 minutes, \d+ seconds, Not all tapes are equal$/,
    );
    await tab.keyboard.press('Home');
    await soon(position).toBe(0);
    await tab.getByRole('searchbox', { name: 'Search the transcript' }).focus();
    await tab.keyboard.type('k l j');
    expect(await tab.getByRole('searchbox', { name: 'Search the transcript' }).inputValue()).toBe('k l j');
    expect([await isPaused(), await position()]).toEqual([true, 0]);
    await chapters().nth(1).focus();
    await tab.keyboard.press('Enter');
    await soon(position).toBeGreaterThan(await startOf(1));
    await tab.locator('.site-search input').first().focus();
    await tab.keyboard.press('k');
    expect(await isPaused()).toBe(false);
  });

  it('is the browser’s own without a script, with chapters that lead into the file', async () => {
    await open({ javaScriptEnabled: false });
    await tab.goto(EPISODE);
    expect(await tab.locator('audio').isVisible()).toBe(true);
    expect(await tab.locator('audio').getAttribute('controls')).toBe('');
    expect(await tab.locator('[data-controls]').isVisible()).toBe(false);
    const href = await chapters().nth(1).getAttribute('href');
    expect(href).toMatch(/\.mp3#t=\d+(?:\.\d+)?$/);
    expect((await tab.request.get(new URL(href ?? '', EPISODE).href)).status()).toBe(200);
    const text = tab.locator('.transcript__text');
    expect((await text.innerText()).length).toBeGreaterThan(1000);
    expect(await text.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
    expect(await tab.locator('.transcript__tools').isVisible()).toBe(false);
  });

  it('has nothing that axe finds while it plays, in both colour schemes', async () => {
    await open({ colorScheme: 'light', reducedMotion: 'reduce', viewport: { width: 390, height: 844 } });
    await tab.goto(EPISODE);
    await play();
    await chapters().nth(1).click();
    await soon(() => currentSentence().count()).toBe(1);
    await tab.getByText('Share and download').click();
    expect(await findViolations(tab)).toEqual([]);
    expect(await measureOverflow(tab)).toBeLessThanOrEqual(0);
    await tab.emulateMedia({ colorScheme: 'dark' });
    await soon(() => currentSentence().count()).toBe(1);
    expect(await findColourViolations(tab)).toEqual([]);
    expect(await measureOverflow(tab)).toBeLessThanOrEqual(0);
  });
});

describe('in a page of another site', () => {
  let foreign: Server;
  let body = '';
  const foreignUrl = () => `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;

  beforeAll(async () => {
    foreign = createServer((_req, res) =>
      res
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><title>Foreign</title><h1>Foreign</h1>${body}`),
    );
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    foreign.closeAllConnections();
    foreign.close();
  });

  it('the player is shown as the episode’s page tells (oEmbed), and plays', async () => {
    await open();
    await tab.goto(EPISODE);
    const told = await tab.locator('link[type="application/json+oembed"]').getAttribute('href');
    const embed = z
      .object({ version: z.literal('1.0'), type: z.literal('rich'), html: z.string(), width: z.int(), height: z.int() })
      .parse(await (await tab.request.get(told ?? '')).json());
    await tab.getByText('Share and download').click();
    expect(await tab.getByRole('textbox', { name: 'Embed code' }).inputValue()).toBe(embed.html);
    body = embed.html;
    requests = [];
    await tab.goto(foreignUrl());
    const frame = tab.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Play' }).click();
    await soon(positionIn(frame)).toBeGreaterThan(0.3);
    await frame.getByText('Chapters').click();
    await frame.locator('.chapter__jump').nth(1).click();
    await soon(positionIn(frame)).toBeGreaterThan(20);
    expect(await frame.getByRole('link', { name: /Minus/ }).getAttribute('href')).toBe(EPISODE);
    expect(requests.filter((url) => !url.startsWith(siteUrl) && !url.startsWith(foreignUrl()))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('no other page of the site is shown', async () => {
    await open();
    body = `<iframe src="${EPISODE}"></iframe>`;
    await tab.goto(foreignUrl());
    await soon(() => complaints.join('\n')).toMatch(/frame-ancestors/);
    expect(await tab.frameLocator('iframe').locator('audio').count()).toBe(0);
  });
});
