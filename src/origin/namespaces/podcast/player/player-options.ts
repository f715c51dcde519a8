import { eq } from 'drizzle-orm';
import { z } from 'zod';
import {
  createPlayerSettings,
  DEFAULT_CONFIG,
  playerConfig,
  type PlayerConfig,
  type PlayerSettings,
  DEFAULT_TEMPLATE,
  DEFAULT_THEME,
  playerTheme,
  type PlayerTheme,
} from '#contracts/player/config.ts';
import { announce } from '#origin/platform/events/announce.ts';
import type { Addresses, AnyCall } from '#origin/platform/http/transport/call.ts';
import { lockOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { option } from '#origin/platform/store/schema.ts';

/** Option that stores the player settings, and `what` of its events. */
export const PLAYER_OPTION = 'player';

/** Maximum number of configurations, of themes and of templates. */
const MAX_ENTRIES = 100;

const INITIAL = createPlayerSettings({ source: 'local' });
const settings = z
  .object({
    source: z.enum(['local', 'cdn']),
    enclosure: z.enum(['top', 'bottom']).nullable(),
    defaults: z.object({ theme: z.string(), config: z.string(), template: z.string() }),
  })
  .default(INITIAL);

/** Stored options of the player. They contain `default` only if it has been saved. */
const storedPlayer = z.object({
  settings,
  configs: z.record(z.string(), playerConfig).default({}),
  themes: z.record(z.string(), playerTheme).default({}),
  templates: z.record(z.string(), z.string()).default({}),
});
type StoredPlayer = z.output<typeof storedPlayer>;

/** The settings, configurations, themes and templates of a player. */
export interface PlayerOptions {
  settings: PlayerSettings;
  configs: Record<string, PlayerConfig>;
  themes: Record<string, PlayerTheme>;
  templates: Record<string, string>;
}

/** Options that are stored by ID. */
type EntryKind = Exclude<keyof StoredPlayer, 'settings'>;

/**
 * Returns the locations of the player's files, from the npm package `@podlove/web-player`. A site with this player
 * serves them below `player/` or uses a CDN. The built-in player doesn't need them.
 */
function playerSources({ site }: Addresses): PlayerSettings['source']['items'] {
  return { local: `${site}/player/`, cdn: 'https://cdn.jsdelivr.net/npm/@podlove/web-player@5/' };
}

/** Loads the stored options together with the built-in defaults. */
export async function loadPlayerOptions({ context, addresses }: AnyCall): Promise<PlayerOptions> {
  const [row] = await context.store.db.select().from(option).where(eq(option.name, PLAYER_OPTION)).limit(1);
  const { configs, themes, templates, ...stored } = storedPlayer.parse(row?.value ?? {});
  return {
    settings: presentPlayerSettings(stored.settings, addresses),
    configs: { default: DEFAULT_CONFIG, ...configs },
    themes: { default: DEFAULT_THEME, ...themes },
    templates: { default: DEFAULT_TEMPLATE, ...templates },
  };
}

export function presentPlayerSettings(
  { source, ...rest }: StoredPlayer['settings'],
  addresses: Addresses,
): PlayerSettings {
  return { source: { selected: source, items: playerSources(addresses) }, ...rest, contentWidth: null };
}

/** Changes the stored options and announces the event. @throws `rest_invalid_param` above `MAX_ENTRIES` */
export async function updatePlayerOptions(call: AnyCall, change: (stored: StoredPlayer) => void): Promise<void> {
  await retryTransaction(call.context.store.db, async (tx) => {
    const value = storedPlayer.parse(await lockOption(tx, PLAYER_OPTION));
    change(value);
    for (const kind of ['configs', 'themes', 'templates'] as const) {
      const count = Object.keys(value[kind]).length;
      if (count > MAX_ENTRIES)
        throw call.refuse('rest_invalid_param', `The limit of ${MAX_ENTRIES} ${kind} is reached. Delete one first.`);
    }
    await storeOption(tx, PLAYER_OPTION, value);
    await announce(tx, { what: 'settings', id: PLAYER_OPTION, action: 'updated' });
  });
}

/** Deletes an entry. Settings that used it fall back to the default. */
export function deletePlayerEntry(stored: StoredPlayer, kind: EntryKind, id: string): void {
  const { [id]: _, ...rest } = stored[kind];
  Object.assign(stored, { [kind]: rest });
  const { defaults } = stored.settings;
  const name = ({ configs: 'config', themes: 'theme', templates: 'template' } as const)[kind];
  if (defaults[name] === id) defaults[name] = 'default';
}
