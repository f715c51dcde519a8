import { toBcp47 } from '#contracts/product/index.ts';
import type { UnitWord } from '#contracts/unit-word.ts';
import type { Dictionaries, PluralKey, StringKey } from './dictionary.ts';
import { formatsFor, type Formats } from './formats-for.ts';
import { stringsFor } from './strings-for.ts';
import { textDirection, type TextDirection } from './text-direction.ts';
import { unitForms } from './unit-forms.ts';

type Values = Readonly<Record<string, string | number>>;

/** What a page needs to speak one language. */
export interface Ui {
  /** Code of the page's language, as in its address: `de-de`. */
  language: string;
  /** BCP 47 tag of the language that the texts are really in, for `<html lang>`: `de-DE`. */
  lang: string;
  dir: TextDirection;
  t: (key: StringKey, values?: Values) => string;
  /** The plural form for a number, which the text shows as `{count}`. */
  plural: (key: PluralKey, count: number, values?: Values) => string;
  formats: Formats;
  /** A record's word for a sales unit with its plural, as far as `unit.…` of the texts in its language has it. */
  unit: (word: string, language: string) => UnitWord;
  /** `lang` of a content in another language than the texts around it; undefined (no attribute) if it is the same. */
  langOf: (language: string) => string | undefined;
}

/** The same for all pages of a language: formatters are dear, and a catalogue has thousands of pages. */
export function createUi(dictionaries: Dictionaries, language: string, mainLanguage: string): Ui {
  const known = made.get(dictionaries) ?? new Map<string, Ui>();
  made.set(dictionaries, known);
  const key = `${language} ${mainLanguage}`;
  const ui = known.get(key) ?? buildUi(dictionaries, language, mainLanguage);
  known.set(key, ui);
  return ui;
}

const made = new WeakMap<Dictionaries, Map<string, Ui>>();

function buildUi(dictionaries: Dictionaries, language: string, mainLanguage: string): Ui {
  const strings = stringsFor(dictionaries, language, mainLanguage);
  const lang = toBcp47(strings.language);
  const formats = formatsFor(lang);
  const rules = new Intl.PluralRules(lang);
  const text = (key: string) => strings.texts[key];
  return {
    language,
    lang,
    dir: textDirection(lang),
    t: (key, values) => fill(text(key) ?? key, values),
    plural: (key, count, values) =>
      fill(text(`${key}.${rules.select(count)}`) ?? text(`${key}.other`) ?? key, {
        ...values,
        count: formats.count(count),
      }),
    formats,
    unit: (word, code) => ({ word, forms: unitForms(dictionaries, code, word), lang: toBcp47(code) }),
    langOf: (code) => (toBcp47(code) === lang ? undefined : toBcp47(code)),
  };
}

/** Texts in turn with names of values. */
const templates = new Map<string, string[]>();

function fill(text: string, values: Values | undefined): string {
  if (!values) return text;
  const parts = templates.get(text) ?? text.split(/\{(\w+)\}/);
  templates.set(text, parts);
  return parts.map((part, i) => (i % 2 === 0 ? part : (values[part] ?? `{${part}}`))).join('');
}
