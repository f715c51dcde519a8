import { z } from 'zod';
import colours from './colours.json' with { type: 'json' };

/** A colour that is safe to insert into a style sheet. */
const colour = z
  .string()
  .refine(
    (text) =>
      /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text) ||
      /^rgba?\([\d\s.,%/]{1,60}\)$/i.test(text) ||
      /^[a-z]{3,30}$/i.test(text),
  )
  .describe('As #rrggbb or rgba(), or its name');

const MAX_TOKENS = 50;

/** Required colours; templates may use further ones. */
const tokens = z
  .object({
    brand: colour,
    brandDark: colour,
    brandDarkest: colour,
    brandLightest: colour,
    shadeDark: colour,
    shadeBase: colour,
    contrast: colour,
    alt: colour,
  })
  .catchall(colour)
  .refine((sent) => Object.keys(sent).length <= MAX_TOKENS, { error: `has at most ${MAX_TOKENS} colours` });

const MAX_FONT_LIST = 20;
const fontWords = z.array(z.string().max(500)).max(MAX_FONT_LIST);

const font = z.object({
  name: z.string().max(100),
  family: fontWords,
  src: fontWords.describe('URLs of the font files'),
  weight: z.union([z.int(), z.string().max(20)]),
});
type Font = z.output<typeof font>;

/** Colours and fonts of a player (`player/5.9.2/theme/<id>`). */
export const playerTheme = z.object({ tokens, fonts: z.object({ ci: font, regular: font, bold: font }) });
export type PlayerTheme = z.output<typeof playerTheme>;

const WEIGHTS = { ci: 800, regular: 300, bold: 700 } as const;

type FontName = keyof typeof WEIGHTS;
const FONT_NAMES = Object.keys(WEIGHTS);

/** Body for saving a theme: all colours, and three fonts with optional members. */
export const playerThemeBody = z.object({
  // Missing and invalid colours produce the same error.
  tokens: z
    .record(z.string(), z.unknown())
    .refine((sent) => tokens.safeParse(sent).success, {
      error: `needs ${Object.keys(tokens.shape).join(', ')}, each as #rrggbb, rgba() or a name`,
    })
    .pipe(tokens)
    .describe('Colours'),
  fonts: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .refine((sent) => FONT_NAMES.every((name) => name in sent), { error: `needs ${FONT_NAMES.join(', ')}` })
    .meta({ type: 'object', description: 'Fonts by purpose' }),
});

export function createPlayerTheme({ tokens, fonts }: z.output<typeof playerThemeBody>): PlayerTheme {
  const fontOf = (name: FontName): Font => ({
    name: font.shape.name.catch(name).parse(fonts[name]?.['name']),
    family: font.shape.family.catch([]).parse(fonts[name]?.['family']),
    src: font.shape.src.catch([]).parse(fonts[name]?.['src']),
    weight: font.shape.weight.catch(WEIGHTS[name]).parse(fonts[name]?.['weight']),
  });
  return { tokens, fonts: { ci: fontOf('ci'), regular: fontOf('regular'), bold: fontOf('bold') } };
}

const SYSTEM_FONT = ['system-ui', '-apple-system', 'Segoe UI', 'Roboto', 'sans-serif'];
const systemFont = (name: FontName): Font => ({ name, family: SYSTEM_FONT, src: [], weight: WEIGHTS[name] });
const fonts = { ci: systemFont('ci'), regular: { ...systemFont('regular'), weight: 400 }, bold: systemFont('bold') };

/** Theme of a site without a stored one. */
export const DEFAULT_THEME: PlayerTheme = { tokens: colours.default, fonts };

/** Presets for editors. */
export const THEME_PRESETS: Readonly<Record<string, PlayerTheme>> = {
  default: DEFAULT_THEME,
  dark: { tokens: colours.dark, fonts },
  paper: { tokens: colours.paper, fonts },
};

const MAX_TEMPLATE_LENGTH = 100_000;

/** Stored for a template that is not a string. Templates are code: they are compiled in the visitor's browser. */
const EMPTY_TEMPLATE = '<root></root>';

/** Body for saving a template. The route reports null as missing. */
export const playerTemplateBody = z.object({
  template: z
    .unknown()
    .refine(
      (sent) => sent !== undefined && sent !== null && (typeof sent !== 'string' || sent.length <= MAX_TEMPLATE_LENGTH),
    )
    .meta({ type: 'string', description: 'Markup of a player, made of its components' }),
});

export function createPlayerTemplate(sent: unknown): string {
  return typeof sent === 'string' ? sent : EMPTY_TEMPLATE;
}

const CONTROLS = '<step-backward></step-backward><play-button></play-button><step-forward></step-forward>';
const TIMES = '<timer-current></timer-current><progress-bar></progress-bar><timer-duration></timer-duration>';
const TEMPLATE_TABS = [
  ['chapters', '<tab-chapters></tab-chapters>'],
  ['transcripts', '<tab-transcripts></tab-transcripts>'],
  ['files', '<tab-files></tab-files>'],
  ['share', '<tab-share></tab-share>'],
]
  .map(([name, content]) => `<tab-trigger tab="${name}"></tab-trigger><tab name="${name}">${content}</tab>`)
  .join('');

/** Template of a site without a stored one. */
export const DEFAULT_TEMPLATE = `<root><poster></poster><show-title></show-title><episode-title></episode-title>${CONTROLS}${TIMES}${TEMPLATE_TABS}<error></error></root>`;

/** Presets for editors. */
export const TEMPLATE_PRESETS: Readonly<Record<string, string>> = {
  default: DEFAULT_TEMPLATE,
  line: `<root><play-button></play-button>${TIMES}<error></error></root>`,
  chapters: `<root><episode-title></episode-title><chapter-previous></chapter-previous><play-button></play-button><chapter-next></chapter-next><current-chapter></current-chapter>${TIMES}<tab-chapters></tab-chapters><error></error></root>`,
  button: '<root><play-button></play-button><error></error></root>',
};

/** Tabs of the player that can be open initially. */
const TABS = ['none', 'shownotes', 'chapters', 'transcripts', 'files', 'playlist', 'share'] as const;

/** Channels to share an episode. */
const CHANNELS = [
  'facebook',
  'twitter',
  'whats-app',
  'linkedin',
  'pinterest',
  'xing',
  'reddit',
  'mail',
  'link',
  'embed',
] as const;

const MAX_CLIENTS = 100;
const MAX_MEMBERS = 20;
const MAX_MEMBER_LENGTH = 1000;

/** An app for subscribing to the podcast; `service` is the id of the podcast in the app, if required. */
const subscribeClient = z.object({ id: z.string().max(100), service: z.string().max(200).nullable().default(null) });

/** Configuration of a player (`player/5.9.2/config/<id>`). */
export const playerConfig = z.object({
  activeTab: z.enum(TABS).nullable(),
  // Further members are preserved for players of other versions.
  'subscribe-button': z.looseObject({
    feed: z.string().nullable().describe('Slug or address of a feed'),
    clients: z.array(subscribeClient),
  }),
  share: z.object({
    channels: z.array(z.enum(CHANNELS)),
    outlet: z.string().nullable().describe('Page for embedding; null for none'),
    sharePlaytime: z.boolean(),
  }),
  'related-episodes': z.object({
    source: z.enum(['disabled', 'podcast', 'show']),
    value: z.union([z.string(), z.int()]).nullable(),
  }),
});
export type PlayerConfig = z.output<typeof playerConfig>;

/** Schema of an object with required members of any type. */
function objectWith(...names: readonly string[]) {
  return z
    .record(z.string(), z.unknown())
    .refine((sent) => names.every((name) => name in sent), { error: `needs ${names.join(', ')}` })
    .meta({ type: 'object' });
}

/** Body for saving a configuration. Two members are required; invalid values fall back to defaults. */
export const playerConfigBody = z.object({
  'subscribe-button': objectWith('feed', 'clients').describe('Feed and apps to subscribe with'),
  share: objectWith('channels', 'outlet', 'sharePlaytime').describe('Ways to share an episode'),
  activeTab: z.unknown().optional().meta({ type: 'string', enum: TABS, description: 'Tab that is open initially' }),
  'related-episodes': z.unknown().optional().meta({ type: 'object', description: 'Episodes to play next' }),
});

const shape = playerConfig.shape;
const { feed, clients } = shape['subscribe-button'].shape;
const { channels, outlet, sharePlaytime } = shape.share.shape;
const { source, value } = shape['related-episodes'].shape;
const anyObject = z.record(z.string(), z.unknown());

/** Creates a configuration from a body. Invalid values are replaced by those of an empty player. */
export function createPlayerConfig(sent: z.output<typeof playerConfigBody>): PlayerConfig {
  const button = sent['subscribe-button'];
  const { share } = sent;
  const related = anyObject.catch({}).parse(sent['related-episodes']);
  return {
    activeTab: shape.activeTab.catch(null).parse(sent.activeTab),
    'subscribe-button': {
      ...furtherMembers(button),
      feed: feed.catch(null).parse(button['feed']),
      clients: itemsOf(clients.element, button['clients']).slice(0, MAX_CLIENTS),
    },
    share: {
      channels: [...new Set(itemsOf(channels.element, share['channels']))],
      outlet: outlet.catch(null).parse(share['outlet']),
      sharePlaytime: sharePlaytime.catch(true).parse(share['sharePlaytime']),
    },
    'related-episodes': {
      source: source.catch('disabled').parse(related['source']),
      value: value.catch(null).parse(related['value']),
    },
  };
}

/** Limits the further members of a subscribe button in number and length. */
function furtherMembers(button: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = Object.entries(button).filter(
    ([name, value]) => `${name}${JSON.stringify(value)}`.length <= MAX_MEMBER_LENGTH,
  );
  return Object.fromEntries(short.slice(0, MAX_MEMBERS));
}

/** Configuration of a site without a stored one. */
export const DEFAULT_CONFIG: PlayerConfig = {
  activeTab: 'chapters',
  'subscribe-button': { feed: null, clients: [] },
  share: { channels: ['mail', 'link', 'embed'], outlet: '/share.html', sharePlaytime: true },
  'related-episodes': { source: 'disabled', value: null },
};

/** Presets for editors. */
export const CONFIG_PRESETS: Readonly<Record<string, PlayerConfig>> = {
  default: DEFAULT_CONFIG,
  quiet: {
    ...DEFAULT_CONFIG,
    activeTab: null,
    share: { channels: ['link'], outlet: null, sharePlaytime: true },
  },
};

/** Default ids of configuration, theme and template. */
const defaultIds = z.object({ theme: z.string(), config: z.string(), template: z.string() });
/** Id of the fallback; it can't be deleted. */
export const DEFAULT_ID = 'default';

const PLAYER_SOURCES = ['local', 'cdn'] as const;

/** Settings of the player (`player/5.9.2/settings`). */
export const playerSettings = z.object({
  source: z.object({
    selected: z.enum(PLAYER_SOURCES),
    items: z.object({ local: z.string(), cdn: z.string() }).describe('URL of the files of each source'),
  }),
  enclosure: z.enum(['top', 'bottom']).nullable().describe('Position of the player in texts with an audio file'),
  defaults: defaultIds,
  contentWidth: z.int().nullable(),
});
export type PlayerSettings = z.output<typeof playerSettings>;

const isSource = (text: string) => PLAYER_SOURCES.some((source) => source === text);

/** Body for saving settings. Omitted settings are reset to their defaults. */
export const playerSettingsBody = z.object({
  source: z
    .string()
    .refine(isSource, { error: 'must be local or cdn' })
    .pipe(playerSettings.shape.source.shape.selected)
    .describe('Source of the player files'),
  enclosure: playerSettings.shape.enclosure.optional(),
  defaults: z.unknown().optional().meta({ type: 'object', description: 'Default ids' }),
});

export function createPlayerSettings(sent: z.output<typeof playerSettingsBody>) {
  const defaults = anyObject.catch({}).parse(sent.defaults);
  const idOf = (name: string) => playerId.catch(DEFAULT_ID).parse(defaults[name]);
  return {
    source: sent.source,
    enclosure: sent.enclosure ?? null,
    defaults: { theme: idOf('theme'), config: idOf('config'), template: idOf('template') },
  };
}

/** Id of a configuration, a theme or a template. */
export const playerId = z
  .string()
  .max(100)
  .regex(/^[a-z0-9-]+$/);

/** Returns the valid items of a list. */
function itemsOf<T extends z.ZodType>(item: T, sent: unknown): z.output<T>[] {
  if (!Array.isArray(sent)) return [];
  return sent.flatMap((value: unknown) => {
    const parsed = item.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}
