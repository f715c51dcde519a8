/** A moved page, or a redirect set by an editor. */
export interface Redirect {
  /** Root-relative path without percent-encoding. */
  from: string;
  /** Root-relative path without percent-encoding, or an encoded absolute URL. */
  to: string;
}

/** Encodes the target of a redirect for headers and host files. */
export function encodeTarget(to: string): string {
  const encoded = encodeURI(to);
  return to.startsWith('/') ? encoded : encoded.replaceAll('%25', '%');
}
