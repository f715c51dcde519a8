/** Digits that a number is filled up to. */
const NUMBER_WIDTH = 3;

/** Short name of an episode, such as `WN007`; also without a number, as `WN000`, and without a podcast's own. */
export function episodeMnemonic(podcastMnemonic: string | undefined, number: number | undefined): string {
  return `${podcastMnemonic ?? ''}${String(number ?? 0).padStart(NUMBER_WIDTH, '0')}`;
}

export interface EpisodeNames {
  /** Title of its page. */
  pageTitle: string;
  /** Its own title, without number and name of the podcast. */
  cleanTitle?: string | undefined;
  number?: number | undefined;
  podcastMnemonic?: string | undefined;
}

/** The title that lists and pages show: that of the page or, where titles are generated, `WN007 Moisture`. */
export function displayTitle(
  { pageTitle, cleanTitle, number, podcastMnemonic }: EpisodeNames,
  isGenerated: boolean,
): string {
  if (!isGenerated) return pageTitle;
  return `${episodeMnemonic(podcastMnemonic, number)} ${cleanTitle || pageTitle}`;
}

/** Who owns the podcast, as its record and its feed say it. */
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
