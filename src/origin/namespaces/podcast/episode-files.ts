import type { EpisodeFile } from '#contracts/podcast/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { EpisodeRow } from './find-episode.ts';

/** What can be played of an episode, and what can be downloaded. */
export async function loadEpisodeFiles(
  _call: AnyCall,
  _episode: EpisodeRow,
): Promise<{ audio: EpisodeFile[]; files: EpisodeFile[] }> {
  return { audio: [], files: [] };
}

/** Looks for the files of an episode under the slug that it has now. */
export async function findFilesOfSlug(_call: AnyCall, _episodeId: number): Promise<void> {}
