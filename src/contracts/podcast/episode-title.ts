/** Minimum digits of a number. */
const NUMBER_WIDTH = 3;

/**
 * Returns the short name of an episode, such as `WN007`; `WN000` without a number, `007` without the podcast's short
 * name.
 */
export function episodeMnemonic(podcastMnemonic: string | undefined, number: number | undefined): string {
  return `${podcastMnemonic ?? ''}${String(number ?? 0).padStart(NUMBER_WIDTH, '0')}`;
}

export interface EpisodeNames {
  /** Title of its page. */
  pageTitle: string;
  /** Title without number and podcast name. */
  cleanTitle?: string | undefined;
  number?: number | undefined;
  podcastMnemonic?: string | undefined;
}

/** Returns the displayed title: that of the page or, if titles are generated, `WN007 Moisture`. */
export function displayTitle(
  { pageTitle, cleanTitle, number, podcastMnemonic }: EpisodeNames,
  isGenerated: boolean,
): string {
  if (!isGenerated) return pageTitle;
  return `${episodeMnemonic(podcastMnemonic, number)} ${cleanTitle || pageTitle}`;
}

/** Returns the copyright notice of the podcast, for its record and feed. */
export function copyrightLine(
  {
    copyright,
    author,
    title,
  }: { copyright?: string | undefined; author?: string | undefined; title?: string | undefined },
  year: number,
): string {
  return copyright || `© ${year} ${author || title || ''}`.trimEnd();
}
