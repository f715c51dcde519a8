export { createUi, type Ui } from './create-ui.ts';
export { dictionary, type Dictionaries, type PluralKey, type StringKey } from './create-ui.ts';
export { createFormats, type Formats } from './create-ui.ts';
export { resolveStrings, type Strings } from './create-ui.ts';
export { stringsLoader } from './strings-loader.ts';
export { typeset } from './typeset.ts';
export { isTypeset, typesetHtml } from './typeset.ts';
export { textDirection, type TextDirection } from './create-ui.ts';
