import { FEED_COLUMNS, feedProduct, type FeedColumn } from '#contracts/feed/feed-files.ts';

/** Formats the columns of the feeds as a Markdown table. */
export function formatColumns(): string {
  const rows = FEED_COLUMNS.map((column) => {
    const { description = '', unit, unitCode } = feedProduct.shape[column].meta() ?? {};
    const units = [unit, unitCode].filter((text) => typeof text === 'string');
    return `| \`${column}\` | ${[typeOf(column), ...units].join(', ')} | ${description} |`;
  });
  return ['| Column | Type and unit | Description |', '| --- | --- | --- |', ...rows].join('\n');
}

function typeOf(column: FeedColumn): string {
  const schema = feedProduct.shape[column];
  const kinds = ['text', 'number', 'true or false', 'list'] as const;
  const samples = ['', 1, true, []];
  const accepted = kinds.filter((_, i) => schema.safeParse(samples[i]).success);
  // Texts with a specific format reject the empty sample.
  const kind = accepted[0] ?? 'text';
  return schema.safeParse(null).success ? `${kind} or null` : kind;
}
