export { editorPages } from './editor-pages.ts';
