export { asZip } from './as-zip.ts';
export { serveBlockEditor } from './serve-block-editor.ts';
