export {
  createFormats,
  createUi,
  dictionary,
  resolveStrings,
  textDirection,
  type Dictionaries,
  type Formats,
  type PluralKey,
  type StringKey,
  type Strings,
  type TextDirection,
  type Ui,
} from './create-ui.ts';
export { stringsLoader } from './strings-loader.ts';
export { typeset } from './typeset.ts';
export { isTypeset, typesetHtml } from './typeset.ts';
