import {
  bootstrapPlayer,
  CONFIG_PRESETS,
  createPlayerConfig,
  createPlayerSettings,
  createPlayerTemplate,
  createPlayerTheme,
  DEFAULT_ID,
  deletePlayerConfig,
  deletePlayerTemplate,
  deletePlayerTheme,
  getPlayerOptions,
  listShows,
  savePlayerConfig,
  savePlayerSettings,
  savePlayerTemplate,
  savePlayerTheme,
  TEMPLATE_PRESETS,
  THEME_PRESETS,
} from '#contracts/player/index.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type AnyCall, type ParameterCheck, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { servePlayerData } from './serve-player-data.ts';
import { listShowTerms, servePlayerEpisodes } from './player-episodes.ts';
import { updatePlayerOptions, deletePlayerEntry, loadPlayerOptions, presentPlayerSettings } from './player-options.ts';

/** The `player` namespaces, which serve the episodes of the podcast to players. */
export const player: NamespaceModule = {
  name: 'player',
  description: 'The podcast player: its settings, and the episodes it plays.',
  namespaces: ['player/5.9.2', 'player/shortcode', 'player'],
  serve(registry) {
    serveOptions(registry);
    servePlayerData(registry);
    servePlayerEpisodes(registry);
  },
};

function authorize({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'manage_options'))
    throw refuse('rest_forbidden', 'Only users who manage the site may set up the player.');
}

function serveOptions(registry: RouteRegistry): void {
  const rules = { permit: authorize };
  registry.serve(
    bootstrapPlayer,
    async (call) => {
      const shows = await listShowTerms(call);
      return item({
        ...(await loadPlayerOptions(call)),
        presets: { configs: CONFIG_PRESETS, themes: THEME_PRESETS, templates: TEMPLATE_PRESETS },
        shows: shows.length === 0 ? { data: [] } : shows,
      });
    },
    rules,
  );
  registry.serve(getPlayerOptions, async (call) => item(await loadPlayerOptions(call)));
  registry.serve(listShows, async (call) => item(await listShowTerms(call)), rules);

  registry.serve(
    savePlayerConfig,
    async (call) => {
      const config = createPlayerConfig(call.body);
      await updatePlayerOptions(call, ({ configs }) => void (configs[call.params.id] = config));
      return item(config);
    },
    rules,
  );
  registry.serve(
    savePlayerTheme,
    async (call) => {
      const theme = createPlayerTheme(call.body);
      await updatePlayerOptions(call, ({ themes }) => void (themes[call.params.id] = theme));
      return item(theme);
    },
    rules,
  );
  registry.serve(
    savePlayerTemplate,
    async (call) => {
      const template = createPlayerTemplate(call.body.template);
      await updatePlayerOptions(call, ({ templates }) => void (templates[call.params.id] = template));
      return item(template);
    },
    rules,
  );
  registry.serve(
    savePlayerSettings,
    async (call) => {
      const settings = createPlayerSettings(call.body);
      await updatePlayerOptions(call, (stored) => void (stored.settings = settings));
      return item(presentPlayerSettings(settings, call.addresses));
    },
    rules,
  );

  for (const [route, part] of [
    [deletePlayerConfig, 'configs'],
    [deletePlayerTheme, 'themes'],
    [deletePlayerTemplate, 'templates'],
  ] as const)
    registry.serve(
      route,
      async (call) => {
        await updatePlayerOptions(call, (stored) => deletePlayerEntry(stored, part, call.params.id));
        return item(true);
      },
      { ...rules, checks: { id: rejectDefault } },
    );
}

const rejectDefault: ParameterCheck = (id) =>
  id === DEFAULT_ID
    ? { text: 'The default can be changed but not deleted: other entries fall back to it.' }
    : undefined;
