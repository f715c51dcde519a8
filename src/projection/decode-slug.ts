/** Publishing sites write slugs outside of ASCII percent-encoded; addresses here are kept as people read them. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
