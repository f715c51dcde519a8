/** Data in the path of a preview, `/_images/preview/de-de/9524010000016-0123456789abcdef.jpg`. */
export interface PreviewPath {
  path: string;
  language: string;
  /** A GTIN, or `site`. */
  subject: string;
}

const PREVIEW_PATH = /^\/_images\/preview\/([a-z0-9-]+)\/(\d{13}|site)-[0-9a-f]{16}\.jpg$/;

/** Parses the path of a preview. Undefined for other paths. */
export function parsePreviewPath(path: string): PreviewPath | undefined {
  const [, language, subject] = PREVIEW_PATH.exec(path) ?? [];
  return language === undefined || subject === undefined ? undefined : { path, language, subject };
}
