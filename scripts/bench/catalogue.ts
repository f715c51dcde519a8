/** The same pages in the forms that builders read. */
export interface Catalogue {
  snapshotPath: string;
  /** Files of pictures; only there when it has some. */
  assetsFolder?: string;
  /** What the pages show, line by line: for Eleventy and bare templates. */
  factsFolder: string;
  /** The same as files of content; only there when Hugo takes part. */
  hugoFolder: string;
}
