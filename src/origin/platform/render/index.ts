export { addClass } from './render-blocks.ts';
export { autoparagraph } from './render-excerpt.ts';
export { hasBlocks } from './render-blocks.ts';
export { addressesAlone } from './render-blocks.ts';
export { plainText } from './plain-text.ts';
export { renderContent } from './render-excerpt.ts';
export { renderExcerpt } from './render-excerpt.ts';
export { texturise } from './texturise.ts';
