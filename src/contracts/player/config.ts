import { z } from 'zod';

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
    feed: z.string().nullable().meta({ description: 'Slug or address of a feed' }),
    clients: z.array(subscribeClient),
  }),
  share: z.object({
    channels: z.array(z.enum(CHANNELS)),
    outlet: z.string().nullable().meta({ description: 'Page for embedding; null for none' }),
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
  'subscribe-button': objectWith('feed', 'clients').meta({ description: 'Feed and apps to subscribe with' }),
  share: objectWith('channels', 'outlet', 'sharePlaytime').meta({ description: 'Ways to share an episode' }),
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
  const related = parseOr(anyObject, {}, sent['related-episodes']);
  return {
    activeTab: parseOr(shape.activeTab, null, sent.activeTab),
    'subscribe-button': {
      ...furtherMembers(button),
      feed: parseOr(feed, null, button['feed']),
      clients: itemsOf(clients.element, button['clients']).slice(0, MAX_CLIENTS),
    },
    share: {
      channels: [...new Set(itemsOf(channels.element, share['channels']))],
      outlet: parseOr(outlet, null, share['outlet']),
      sharePlaytime: parseOr(sharePlaytime, true, share['sharePlaytime']),
    },
    'related-episodes': {
      source: parseOr(source, 'disabled', related['source']),
      value: parseOr(value, null, related['value']),
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

/** Sources of the player's files. */
const PLAYER_SOURCES = ['local', 'cdn'] as const;

/** Settings of the player (`player/5.9.2/settings`). */
export const playerSettings = z.object({
  source: z.object({
    selected: z.enum(PLAYER_SOURCES),
    items: z.object({ local: z.string(), cdn: z.string() }).meta({ description: 'URL of the files of each source' }),
  }),
  enclosure: z
    .enum(['top', 'bottom'])
    .nullable()
    .meta({ description: 'Position of the player in texts with an audio file' }),
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
    .meta({
      description: 'Source of the player files',
    }),
  enclosure: playerSettings.shape.enclosure.optional(),
  defaults: z.unknown().optional().meta({ type: 'object', description: 'Default ids' }),
});

/** Creates settings from a body. */
export function createPlayerSettings(sent: z.output<typeof playerSettingsBody>) {
  const defaults = parseOr(anyObject, {}, sent.defaults);
  const idOf = (name: string) => parseOr(playerId, DEFAULT_ID, defaults[name]);
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

function parseOr<T extends z.ZodType>(schema: T, fallback: z.output<T>, sent: unknown): z.output<T> {
  const parsed = schema.safeParse(sent);
  return parsed.success ? parsed.data : fallback;
}

/** Returns the valid items of a list. */
function itemsOf<T extends z.ZodType>(item: T, sent: unknown): z.output<T>[] {
  if (!Array.isArray(sent)) return [];
  return sent.flatMap((value: unknown) => {
    const parsed = item.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}
