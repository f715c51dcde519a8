import { describe, expect, it, test } from 'vitest';
import { parseTranscript } from '../podcast/transcript.ts';
import { parseValue } from '../parse-value.ts';
import {
  CONFIG_PRESETS,
  createPlayerConfig,
  createPlayerSettings,
  playerConfig,
  playerConfigBody,
  playerSettingsBody,
  createPlayerTemplate,
  createPlayerTheme,
  playerTemplateBody,
  playerTheme,
  playerThemeBody,
  TEMPLATE_PRESETS,
  THEME_PRESETS,
} from './config.ts';
import { playerCues, savePlayerTheme } from './routes.ts';

const BUTTON = {
  feed: 'mp3',
  clients: [
    { id: 'rss', service: null },
    { id: 'apple-podcasts', service: 'id123' },
  ],
};
const SHARE = { channels: ['mail', 'link'], outlet: '/share.html', sharePlaytime: false };

const keepConfig = (body: unknown) => createPlayerConfig(playerConfigBody.parse(body));
const TOKENS = THEME_PRESETS['default']?.tokens;
const FONTS = { ci: {}, regular: {}, bold: {} };

describe('a configuration', () => {
  it('is kept as it was sent, and without what it does not know', () => {
    const related = { source: 'podcast', value: 5 };
    const sent = { 'subscribe-button': BUTTON, share: SHARE, activeTab: 'playlist', 'related-episodes': related };
    expect(keepConfig({ ...sent, extra: 1 })).toEqual(sent);
    const more = { more: 2, long: 'x'.repeat(2000) };
    expect(keepConfig({ ...sent, 'subscribe-button': { ...BUTTON, ...more } })).toEqual({
      ...sent,
      'subscribe-button': { ...BUTTON, more: 2 },
    });
  });

  it('has what an empty player has for what does not fit', () => {
    const empty = {
      activeTab: null,
      'subscribe-button': { feed: null, clients: [] },
      share: { channels: [], outlet: null, sharePlaytime: true },
      'related-episodes': { source: 'disabled', value: null },
    };
    expect(
      keepConfig({
        'subscribe-button': { feed: null, clients: 'x' },
        share: { channels: 'mail', outlet: null, sharePlaytime: 'maybe' },
        activeTab: 5,
        'related-episodes': { source: 'moon', value: {} },
      }),
    ).toEqual(empty);
    expect(
      keepConfig({
        'subscribe-button': { feed: 5, clients: [5, { service: 'x' }] },
        share: { channels: ['fax', 7], outlet: [], sharePlaytime: null },
        'related-episodes': 'x',
      }),
    ).toEqual(empty);
  });

  it('names each way to share once, and no more apps than anybody has', () => {
    const clients = Array.from({ length: 5000 }, () => ({ id: 'rss' }));
    const share = { ...SHARE, channels: ['mail', 'link', 'mail'] };
    const kept = keepConfig({ 'subscribe-button': { feed: null, clients }, share });
    expect(kept.share.channels).toEqual(['mail', 'link']);
    expect(kept['subscribe-button'].clients).toHaveLength(100);
  });

  it.each([
    { share: SHARE },
    { 'subscribe-button': BUTTON },
    { 'subscribe-button': {}, share: SHARE },
    { 'subscribe-button': BUTTON, share: {} },
    { 'subscribe-button': 'x', share: SHARE },
    { 'subscribe-button': null, share: SHARE },
  ])('is not %j', (body) => {
    expect(parseValue(playerConfigBody, body).ok).toBe(false);
  });
});

describe('a theme', () => {
  it('has the usual fonts for what is not said of them', () => {
    const kept = createPlayerTheme(
      playerThemeBody.parse({
        tokens: TOKENS,
        fonts: { ...FONTS, bold: { name: 'Lato', family: 'x', weight: '900' } },
      }),
    );
    expect(kept.fonts).toEqual({
      ci: { name: 'ci', family: [], src: [], weight: 800 },
      regular: { name: 'regular', family: [], src: [], weight: 300 },
      bold: { name: 'Lato', family: [], src: [], weight: '900' },
    });
  });

  it.each(['red;background:url(https://x.test)', '#12', 'rgb(0,0,0);}', 'expression(1)', 5])(
    'has no colour %j',
    (brand) => {
      expect(parseValue(playerThemeBody, { tokens: { ...TOKENS, brand }, fonts: FONTS }).ok).toBe(false);
    },
  );

  it.each(['#abc', '#205040', '#20504080', 'rgb(1, 2, 3)', 'rgba(1 2 3 / 50%)', 'green'])(
    'may have the colour %s',
    (brand) => {
      expect(parseValue(playerThemeBody, { tokens: { ...TOKENS, brand }, fonts: FONTS }).ok).toBe(true);
    },
  );

  it.each([
    { tokens: TOKENS },
    { tokens: { brand: '#000000' }, fonts: FONTS },
    { tokens: TOKENS, fonts: { ci: {} } },
    { tokens: 'x', fonts: FONTS },
  ])('is not %j', (body) => {
    expect(parseValue(playerThemeBody, body).ok).toBe(false);
  });

  it('has an id of letters, digits and dashes', () => {
    for (const id of ['default', 'green', 'a-1']) expect(savePlayerTheme.params.safeParse({ id }).success).toBe(true);
    for (const id of ['', 'a_b', 'a.b', '../x', 'ä'])
      expect(savePlayerTheme.params.safeParse({ id }).success).toBe(false);
  });
});

test('a template is text, or empty', () => {
  expect(createPlayerTemplate('<root></root>x')).toBe('<root></root>x');
  expect(createPlayerTemplate('')).toBe('');
  expect(createPlayerTemplate(5)).toBe('<root></root>');
  expect(parseValue(playerTemplateBody, {}).ok).toBe(false);
  expect(parseValue(playerTemplateBody, { template: 'x'.repeat(100_001) }).ok).toBe(false);
});

const keep = (body: unknown) => createPlayerSettings(playerSettingsBody.parse(body));

test('settings that are left out go back to what they were at first', () => {
  const defaults = { theme: 'green', config: 'default', template: 'default' };
  expect(keep({ source: 'cdn', enclosure: 'top', defaults: { theme: 'green', config: '../x' } })).toEqual({
    source: 'cdn',
    enclosure: 'top',
    defaults,
  });
  expect(keep({ source: 'local', defaults: 'x' })).toEqual({
    source: 'local',
    enclosure: null,
    defaults: { ...defaults, theme: 'default' },
  });
  expect(parseValue(playerSettingsBody, { source: 'moon' }).ok).toBe(false);
  expect(parseValue(playerSettingsBody, { source: 'local', enclosure: 'left' }).ok).toBe(false);
});

test('what editors may start from is what they may keep', () => {
  expect(Object.values(CONFIG_PRESETS).map((preset) => playerConfig.parse(preset))).toEqual(
    Object.values(CONFIG_PRESETS),
  );
  expect(Object.values(CONFIG_PRESETS).map((preset) => keepConfig(preset))).toEqual(Object.values(CONFIG_PRESETS));
  expect(Object.values(THEME_PRESETS).map((preset) => playerTheme.parse(preset))).toEqual(Object.values(THEME_PRESETS));
  expect(Object.values(TEMPLATE_PRESETS).every((preset) => /^<root>.*<\/root>$/.test(preset))).toBe(true);
});

test('a transcript is what the player reads', () => {
  const read = parseTranscript('webvtt', 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Anna>Hi\n');
  expect(read.ok ? playerCues(read.value) : []).toEqual([
    {
      start: '00:00:01.000',
      start_ms: 1000,
      end: '00:00:02.500',
      end_ms: 2500,
      speaker: 'Anna',
      voice: 'Anna',
      text: 'Hi',
    },
  ]);
});
