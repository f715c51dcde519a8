/** A page that has moved, or from which its editor sends readers on. */
export interface Redirect {
  /** Root-relative path as people read it, without percent-encoding. */
  from: string;
  /** The same; or a whole address out of this site, encoded. */
  to: string;
}

/** Where a redirect leads, as headers and files of hosts have it: no sign in it means something else there. */
export function encodeTarget(to: string): string {
  const encoded = encodeURI(to);
  return to.startsWith('/') ? encoded : encoded.replaceAll('%25', '%');
}
