const MAX_NEXT = 3;

/** Posts to go on with: the first of the others. */
export function nextPosts<T>(posts: readonly T[], post: T): T[] {
  return posts
    .slice(0, MAX_NEXT + 1)
    .filter((other) => other !== post)
    .slice(0, MAX_NEXT);
}
