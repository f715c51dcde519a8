export { removeMarks } from '#contracts/borrowed-text.ts';
export { labelBorrowedTexts } from './borrowed-texts.ts';
export {
  createFormats,
  createPageUi,
  createUi,
  dictionary,
  markUntranslated,
  resolveStrings,
  type Dictionaries,
  type Formats,
  type PluralKey,
  type StringKey,
  type Strings,
  type Ui,
} from './create-ui.ts';
export { findDictionaryGaps, REFERENCE_LANGUAGE, requiredKeys, stringsLoader } from './strings-loader.ts';
export { typeset } from './typeset.ts';
export { isTypeset, typesetHtml } from './typeset.ts';
export { textDirection, type TextDirection } from './text-direction.ts';
