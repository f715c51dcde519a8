import { expect, it } from 'vitest';
import { createImportReport } from './connect-site.ts';
import { formatImportReport } from './format-import-report.ts';

it('reports losses with reasons, advice and the path of the full report', () => {
  const { found, became, leave, lose, note, read } = createImportReport();
  found('media', 40);
  for (let i = 0; i < 31; i += 1) became('media', 'added', `${i}`);
  const files = Array.from({ length: 9 }, (_, i) => `${i + 100} (roof-${i})`);
  leave('media', 'its file could not be fetched: 404', files);
  found('post', 4);
  for (const name of ['1 (a)', '2 (b)']) became('post', 'added', name);
  became('post', 'kept', '3 (c)', 'was changed here');
  became('post', 'refused', '4 (d)', 'slug is longer than 200 characters');
  leave('post', 'with the status "private" are not shown to this account', [], 0);
  lose('post', 'contain shortcodes that the source site shows as text', ['1 (a): slider']);
  note('post', 'were imported with the HTML of their shortcodes', ['2 (b): gallery']);
  const outcome = { source: 'https://blog.example.com', changed: true, kinds: read() };
  const { message, rows } = formatImportReport(outcome, { reportFile: '/home/report/import.txt' });
  expect(rows).toEqual([
    { '': 'Media', found: 40, new: 31, changed: 0, unchanged: 0, 'left out': 9 },
    { '': 'Posts', found: 4, new: 2, changed: 0, unchanged: 0, 'left out': 2 },
  ]);
  expect(message).toMatchInlineSnapshot(`
    "
    Left out:
      9 media items: its file could not be fetched: 404
        100 (roof-0)
        101 (roof-1)
        102 (roof-2)
        103 (roof-3)
        104 (roof-4)
        … and 4 more
        -> Check that the file still exists, then run the same command again to import the rest.
      1 post: was changed here
        3 (c)
        -> Nothing to do if the local version is right. Otherwise copy the changes by hand.
      1 post: slug is longer than 200 characters
        4 (d)
        -> Correct it at the source, then run the same command again to import the rest.
      an unknown number of posts: with the status "private" are not shown to this account
        -> Import with an administrator's account (--user), then run the same command again to import the rest.

    Imported with differences:
      1 post: contain shortcodes that the source site shows as text
        1 (a): slider
        -> Open it here and replace the parts that do not work.

    Notes:
      1 post: were imported with the HTML of their shortcodes
        2 (b): gallery

    Full report: /home/report/import.txt
    Imported https://blog.example.com: 33 new, 0 changed. Not everything was imported: more than 11 left out, 1 incomplete (see the lines above)."
  `);
  // The report lists all of them.
  const report = formatImportReport(outcome, { shown: Infinity }).message;
  for (const file of files) expect(report).toContain(file);
});
