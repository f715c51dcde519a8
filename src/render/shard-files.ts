/** In the folder of a shard: which one it is, and what is known of its pages. */
export const SHARD_FILE = '.shard.json';
export const SHARD_MANIFEST = '.shard-pages.sqlite';
