/** Decodes a slug: publishing sites percent-encode non-ASCII slugs, while addresses here are readable. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
