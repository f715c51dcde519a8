export {
  feedDelta,
  feedDocument,
  feedIndex,
  FEED_SCHEMA_NAMES,
  FEED_SCHEMAS,
  type FeedDelta,
  type FeedDocument,
  type FeedIndex,
  type FeedSchemaName,
} from './feed-files.ts';
export { FEED_COLUMNS, feedProduct, type FeedColumn, type FeedProduct } from './feed-files.ts';
