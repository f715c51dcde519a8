import { describe, expect, it } from 'vitest';
import { repairDates } from '#client/publishing-client.ts';

const GOOD = {
  id: 7,
  status: 'publish',
  date: '2026-01-05T09:00:00',
  date_gmt: '2026-01-05T08:00:00',
  modified: '2026-11-20T10:00:00',
  modified_gmt: '2026-11-20T09:00:00',
};
const NEVER = '-0001-11-30T00:00:00';

const repair = (changes: Record<string, unknown>, timeZone = 'Europe/Berlin') => {
  const { row, warnings } = repairDates({ ...GOOD, ...changes }, timeZone);
  return { row: row as Record<string, unknown>, fields: warnings.map(({ field }) => field), warnings };
};

describe('dates of a row', () => {
  it('stay as they are if they are as documented', () => {
    expect(repairDates(GOOD, 'Europe/Berlin')).toEqual({ row: GOOD, warnings: [] });
    const draft = { ...GOOD, status: 'draft', date_gmt: null };
    expect(repairDates(draft, 'Europe/Berlin')).toEqual({ row: draft, warnings: [] });
    expect(repairDates({ id: 1, name: 'Kategorie' }, 'UTC')).toEqual({
      row: { id: 1, name: 'Kategorie' },
      warnings: [],
    });
    expect(repairDates('nonsense', 'UTC')).toEqual({ row: 'nonsense', warnings: [] });
  });

  it.each([NEVER, '0000-00-00T00:00:00', '0000-00-00 00:00:00', '2026-13-01T00:00:00', '', null, 0, false, undefined])(
    'in UTC that are %j are those of the site’s clock',
    (broken) => {
      const { row, fields } = repair({ date_gmt: broken, modified_gmt: broken });
      expect(row).toEqual(GOOD);
      expect(fields).toEqual(['date_gmt', 'modified_gmt']);
    },
  );

  it('in UTC that are missing are those of the site’s clock', () => {
    const { date_gmt, modified_gmt, ...local } = GOOD;
    expect(repairDates(local, 'Europe/Berlin').row).toEqual(GOOD);
    expect(repairDates({ id: 7, date_gmt, modified_gmt }, 'UTC').row).toEqual({ id: 7, date_gmt, modified_gmt });
  });

  it.each([
    ['2026-01-05T08:00:00Z', '2026-01-05T08:00:00'],
    ['2026-01-05T08:00:00+00:00', '2026-01-05T08:00:00'],
    ['2026-01-05T09:00:00+01:00', '2026-01-05T08:00:00'],
    ['2026-01-05 08:00:00', '2026-01-05T08:00:00'],
    ['2026-01-05T08:00:00.000', '2026-01-05T08:00:00'],
  ])('written as %s keep their moment', (written, expected) => {
    const { row, fields } = repair({ date_gmt: written, date: 'gestern' });
    expect([row['date_gmt'], row['date']]).toEqual([expected, GOOD.date]);
    expect(fields).toEqual(['date_gmt', 'date']);
  });

  it.each([
    ['Europe/Berlin', '2026-01-05T09:00:00', '2026-01-05T08:00:00'],
    ['Europe/Berlin', '2026-07-05T09:00:00', '2026-07-05T07:00:00'],
    // Skipped in spring, shown twice in autumn.
    ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00'],
    ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00'],
    ['America/St_Johns', '2026-07-05T09:00:00', '2026-07-05T11:30:00'],
    ['+05:30', '2026-07-05T09:00:00', '2026-07-05T03:30:00'],
  ])('of a site in %s: %s is %s', (timeZone, date, expected) => {
    expect(repair({ date, date_gmt: NEVER }, timeZone).row['date_gmt']).toBe(expected);
  });

  it('come from the other pair if a pair has none', () => {
    expect(repair({ date: NEVER, date_gmt: NEVER }).row).toMatchObject({
      date: GOOD.modified,
      date_gmt: GOOD.modified_gmt,
    });
    expect(repair({ modified: null, modified_gmt: null }).row).toMatchObject({
      modified: GOOD.date,
      modified_gmt: GOOD.date_gmt,
    });
  });

  it('are left to the contract if none of them can be read', () => {
    const none = { date: NEVER, date_gmt: NEVER, modified: NEVER, modified_gmt: NEVER };
    expect(repair(none)).toMatchObject({ row: none, fields: [] });
  });

  it('say in a warning what was wrong and what stands for it', () => {
    expect(repair({ date_gmt: NEVER }).warnings).toEqual([
      {
        field: 'date_gmt',
        problem: 'is not a date; "date" in the time zone Europe/Berlin is used instead',
        advice: 'Correct the date at the publishing site: an import or a plug-in may have written it.',
        shown: `"${NEVER}"`,
      },
    ]);
  });
});
