export { blockEditor } from './serve-block-editor.ts';
