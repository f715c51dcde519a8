/** A page that has moved: root-relative paths as people read them, without percent-encoding. */
export interface Redirect {
  from: string;
  to: string;
}
