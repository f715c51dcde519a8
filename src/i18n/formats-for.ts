import { TIME_ZONE as timeZone } from '#contracts/index.ts';
import { remember } from './remember.ts';

export interface Formats {
  /** A decimal text such as `1.50` or `0.575`, its digits kept but for zeros at the end. */
  decimal: (text: string) => string;
  count: (value: number) => string;
  /** Euro, from a text with two decimals: `24.90`. */
  euro: (amount: string) => string;
  percent: (value: number) => string;
  /** `1,5 m`: number and unit don't part at the end of a line. */
  measure: (text: string, unit: string) => string;
  /** `2 pallets and 5 rolls`. */
  list: (parts: readonly string[]) => string;
  /** `312 kB`. */
  bytes: (bytes: number) => string;
  /** `21. November 2026`. */
  date: (date: Date) => string;
  /** `21.11.2026`, `21 Nov 2026`. */
  shortDate: (date: Date) => string;
  /** `November 2026`, of a month written `2026-11`. */
  month: (month: string) => string;
  /** Name of a language, without its region, in the language of the page. */
  languageName: (code: string) => string;
}

const NO_BREAK = '\u00a0';

/** How a language writes numbers and dates. Only for our own quantities: declared values are shown as they are. */
export function formatsFor(language: string): Formats {
  const decimals = new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: 'min2' });
  const counts = new Intl.NumberFormat(language);
  const euros = new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' });
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const rounded = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
  const shortDates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  const months = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const lists = new Intl.ListFormat(language);
  const languages = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' });
  const [kilobyte, megabyte] = [unitName(language, 'kilobyte'), unitName(language, 'megabyte')];
  const decimal = remember((text: string) => decimals.format(exact(text)));
  const date = remember((ms: number) => dates.format(ms));
  const shortDate = remember((ms: number) => shortDates.format(ms));
  return {
    decimal,
    count: remember((value: number) => counts.format(value)),
    euro: remember((amount: string) => euros.format(exact(amount))),
    percent: remember((value: number) => percents.format(value / 100)),
    measure: (text, unit) => `${decimal(text)}${NO_BREAK}${unit}`,
    list: (parts) => lists.format(parts),
    bytes: remember((bytes: number) => {
      const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, kilobyte] : [bytes / 1_000_000, megabyte];
      return `${value < 100 ? rounded.format(value) : counts.format(Math.round(value))}${NO_BREAK}${unit}`;
    }),
    date: (day) => date(day.getTime()),
    shortDate: (day) => shortDate(day.getTime()),
    month: remember((text: string) => months.format(new Date(`${text}-01T00:00:00Z`))),
    languageName: remember((code: string) => languages.of(new Intl.Locale(code).language) ?? code),
  };
}

/** `kB`; `ko` in French. */
function unitName(language: string, unit: 'kilobyte' | 'megabyte'): string {
  const parts = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).formatToParts(1);
  return parts.find(({ type }) => type === 'unit')?.value ?? '';
}

/** `Intl` formats a text digit by digit, without the detour of a float; its type wants to know that it is a number. */
function exact(text: string): Intl.StringNumericLiteral {
  return text as Intl.StringNumericLiteral;
}
