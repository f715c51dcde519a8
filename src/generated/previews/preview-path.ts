/** What the path of a preview says: `/_images/preview/de-de/9524010000016-0123456789abcdef.jpg`. */
export interface PreviewAddress {
  path: string;
  language: string;
  /** A GTIN, or `site`. */
  subject: string;
}

const PREVIEW_PATH = /^\/_images\/preview\/([a-z0-9-]+)\/(\d{13}|site)-[0-9a-f]{16}\.jpg$/;

/** Reads a whole path; undefined for anything else. */
export function readPreviewPath(path: string): PreviewAddress | undefined {
  const [, language, subject] = PREVIEW_PATH.exec(path) ?? [];
  return language === undefined || subject === undefined ? undefined : { path, language, subject };
}
