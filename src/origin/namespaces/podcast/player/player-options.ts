import { eq } from 'drizzle-orm';
import { z } from 'zod';
import {
  createPlayerSettings,
  DEFAULT_CONFIG,
  DEFAULT_TEMPLATE,
  DEFAULT_THEME,
  playerConfig,
  playerTheme,
  type PlayerConfig,
  type PlayerSettings,
  type PlayerTheme,
} from '#contracts/player/index.ts';
import { announce } from '#origin/platform/events/index.ts';
import type { Addresses, AnyCall } from '#origin/platform/http/transport/index.ts';
import { lockOption, retryTransaction, storeOption } from '#origin/platform/store/index.ts';
import { option } from '#origin/platform/store/schema.ts';

/** Option that stores everything of the player, and `what` of its events. */
export const PLAYER_OPTION = 'player';

/** Most configurations, themes or templates that are stored, each. */
const MAX_KEPT = 100;

const INITIAL = createPlayerSettings({ source: 'local' });
const settings = z
  .object({
    source: z.enum(['local', 'cdn']),
    enclosure: z.enum(['top', 'bottom']).nullable(),
    defaults: z.object({ theme: z.string(), config: z.string(), template: z.string() }),
  })
  .default(INITIAL);

/** Stored options of the player; `default` is among them once it has been saved. */
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

/** What is kept under ids. */
type PlayerPart = Exclude<keyof StoredPlayer, 'settings'>;

/**
 * Where the files of the player are. They are those of the npm package `@podlove/web-player`, which a site that wants
 * this player puts below `player/`, or takes from a mirror of npm; the site's own player needs none of them.
 */
function playerSources({ site }: Addresses): PlayerSettings['source']['items'] {
  return { local: `${site}/player/`, cdn: 'https://cdn.jsdelivr.net/npm/@podlove/web-player@5/' };
}

/** All that is stored, with the built-in defaults. */
export async function loadPlayer({ context, addresses }: AnyCall): Promise<PlayerOptions> {
  const [row] = await context.store.db.select().from(option).where(eq(option.name, PLAYER_OPTION)).limit(1);
  const { configs, themes, templates, ...stored } = storedPlayer.parse(row?.value ?? {});
  return {
    settings: presentSettings(stored.settings, addresses),
    configs: { default: DEFAULT_CONFIG, ...configs },
    themes: { default: DEFAULT_THEME, ...themes },
    templates: { default: DEFAULT_TEMPLATE, ...templates },
  };
}

export function presentSettings({ source, ...rest }: StoredPlayer['settings'], addresses: Addresses): PlayerSettings {
  return { source: { selected: source, items: playerSources(addresses) }, ...rest, contentWidth: null };
}

/** Changes what is stored, and announces it. @throws a refusal when more would be kept than may be */
export async function changePlayer(call: AnyCall, change: (stored: StoredPlayer) => void): Promise<void> {
  await retryTransaction(call.context.store.db, async (tx) => {
    const value = storedPlayer.parse(await lockOption(tx, PLAYER_OPTION));
    change(value);
    for (const part of ['configs', 'themes', 'templates'] as const) {
      const kept = Object.keys(value[part]).length;
      if (kept > MAX_KEPT)
        throw call.refuse('rest_invalid_param', `There are ${MAX_KEPT} ${part} already: delete one first.`);
    }
    await storeOption(tx, PLAYER_OPTION, value);
    await announce(tx, { what: 'settings', id: PLAYER_OPTION, action: 'updated' });
  });
}

/** Deletes one; whatever used it falls back to the default. */
export function deletePart(stored: StoredPlayer, part: PlayerPart, id: string): void {
  const { [id]: _, ...rest } = stored[part];
  Object.assign(stored, { [part]: rest });
  const { defaults } = stored.settings;
  const name = ({ configs: 'config', themes: 'theme', templates: 'template' } as const)[part];
  if (defaults[name] === id) defaults[name] = 'default';
}
