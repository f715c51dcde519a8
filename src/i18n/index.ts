export { removeMarks } from '#contracts/borrowed-text.ts';
export * from './borrowed-texts.ts';
export * from './create-ui.ts';
export * from './strings-loader.ts';
export * from './text-direction.ts';
export * from './typeset.ts';
