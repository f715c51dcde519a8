import { z } from 'zod';

/** Parts of the player that can be open from the start. */
const TABS = ['none', 'shownotes', 'chapters', 'transcripts', 'files', 'playlist', 'share'] as const;

/** Ways to share an episode. */
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

/** An app in which a podcast can be subscribed to; `service` is its id there, where the app wants one. */
const subscribeClient = z.object({ id: z.string().max(100), service: z.string().max(200).nullable().default(null) });

/** What a player shows and offers (`player/5.9.2/config/<id>`). */
export const playerConfig = z.object({
  activeTab: z.enum(TABS).nullable(),
  // Further members are kept: players of other versions read some.
  'subscribe-button': z.looseObject({
    feed: z.string().nullable().meta({ description: 'Slug or address of a feed' }),
    clients: z.array(subscribeClient),
  }),
  share: z.object({
    channels: z.array(z.enum(CHANNELS)),
    outlet: z.string().nullable().meta({ description: 'Page that is embedded elsewhere; null for none' }),
    sharePlaytime: z.boolean(),
  }),
  'related-episodes': z.object({
    source: z.enum(['disabled', 'podcast', 'show']),
    value: z.union([z.string(), z.int()]).nullable(),
  }),
});
export type PlayerConfig = z.output<typeof playerConfig>;

/** An object that has these members, whatever they are. */
function objectWith(...names: readonly string[]) {
  return z
    .record(z.string(), z.unknown())
    .refine((sent) => names.every((name) => name in sent), { error: `needs ${names.join(', ')}` })
    .meta({ type: 'object' });
}

/** What a caller sends to keep a configuration: two parts have to be there, and what does not fit falls back. */
export const playerConfigBody = z.object({
  'subscribe-button': objectWith('feed', 'clients').meta({ description: 'Feed and apps to subscribe with' }),
  share: objectWith('channels', 'outlet', 'sharePlaytime').meta({ description: 'Ways to share an episode' }),
  activeTab: z.unknown().optional().meta({ type: 'string', enum: TABS, description: 'Part that is open at first' }),
  'related-episodes': z.unknown().optional().meta({ type: 'object', description: 'Episodes that are played next' }),
});

const shape = playerConfig.shape;
const { feed, clients } = shape['subscribe-button'].shape;
const { channels, outlet, sharePlaytime } = shape.share.shape;
const { source, value } = shape['related-episodes'].shape;
const anyObject = z.record(z.string(), z.unknown());

/** The configuration that is kept of what was sent: each value that does not fit is the one of an empty player. */
export function createPlayerConfig(sent: z.output<typeof playerConfigBody>): PlayerConfig {
  const button = sent['subscribe-button'];
  const { share } = sent;
  const related = orElse(anyObject, {}, sent['related-episodes']);
  return {
    activeTab: orElse(shape.activeTab, null, sent.activeTab),
    'subscribe-button': {
      ...furtherMembers(button),
      feed: orElse(feed, null, button['feed']),
      clients: itemsOf(clients.element, button['clients']).slice(0, MAX_CLIENTS),
    },
    share: {
      channels: [...new Set(itemsOf(channels.element, share['channels']))],
      outlet: orElse(outlet, null, share['outlet']),
      sharePlaytime: orElse(sharePlaytime, true, share['sharePlaytime']),
    },
    'related-episodes': {
      source: orElse(source, 'disabled', related['source']),
      value: orElse(value, null, related['value']),
    },
  };
}

/** Limits of further members of a subscribe button: a few, each short. */
function furtherMembers(button: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = Object.entries(button).filter(
    ([name, value]) => `${name}${JSON.stringify(value)}`.length <= MAX_MEMBER_LENGTH,
  );
  return Object.fromEntries(short.slice(0, MAX_MEMBERS));
}

/** The configuration of a site where nobody has made one. */
export const DEFAULT_CONFIG: PlayerConfig = {
  activeTab: 'chapters',
  'subscribe-button': { feed: null, clients: [] },
  share: { channels: ['mail', 'link', 'embed'], outlet: '/share.html', sharePlaytime: true },
  'related-episodes': { source: 'disabled', value: null },
};

/** Configurations that editors may start from. */
export const CONFIG_PRESETS: Readonly<Record<string, PlayerConfig>> = {
  default: DEFAULT_CONFIG,
  quiet: {
    ...DEFAULT_CONFIG,
    activeTab: null,
    share: { channels: ['link'], outlet: null, sharePlaytime: true },
  },
};

/** Ids of the configuration, theme and template of episodes that name none. */
const defaultIds = z.object({ theme: z.string(), config: z.string(), template: z.string() });
/** Fallback of all others; it can't be deleted. */
export const DEFAULT_ID = 'default';

/** Where the player's own files come from. */
const PLAYER_SOURCES = ['local', 'cdn'] as const;

/** Settings of the player (`player/5.9.2/settings`). */
export const playerSettings = z.object({
  source: z.object({
    selected: z.enum(PLAYER_SOURCES),
    items: z
      .object({ local: z.string(), cdn: z.string() })
      .meta({ description: 'Address of the files of each source' }),
  }),
  enclosure: z.enum(['top', 'bottom']).nullable().meta({ description: 'Where a player is put into texts with a file' }),
  defaults: defaultIds,
  contentWidth: z.int().nullable(),
});
export type PlayerSettings = z.output<typeof playerSettings>;

const isSource = (text: string) => PLAYER_SOURCES.some((source) => source === text);

/** What a caller sends to keep settings; what is left out goes back to what it was at first. */
export const playerSettingsBody = z.object({
  source: z
    .string()
    .refine(isSource, { error: 'must be local or cdn' })
    .pipe(playerSettings.shape.source.shape.selected)
    .meta({
      description: 'Where the files of the player come from',
    }),
  enclosure: playerSettings.shape.enclosure.optional(),
  defaults: z.unknown().optional().meta({ type: 'object', description: 'Ids that are used where none is named' }),
});

/** The settings that are kept of what was sent. */
export function createPlayerSettings(sent: z.output<typeof playerSettingsBody>) {
  const defaults = orElse(anyObject, {}, sent.defaults);
  const idOf = (name: string) => orElse(playerId, DEFAULT_ID, defaults[name]);
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

function orElse<T extends z.ZodType>(schema: T, fallback: z.output<T>, sent: unknown): z.output<T> {
  const read = schema.safeParse(sent);
  return read.success ? read.data : fallback;
}

/** The items of a list that fit. */
function itemsOf<T extends z.ZodType>(item: T, sent: unknown): z.output<T>[] {
  if (!Array.isArray(sent)) return [];
  return sent.flatMap((value: unknown) => {
    const read = item.safeParse(value);
    return read.success ? [read.data] : [];
  });
}
