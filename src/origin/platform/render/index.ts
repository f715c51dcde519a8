export { addClass } from './add-class.ts';
export { autoparagraph } from './autoparagraph.ts';
export { hasBlocks } from './has-blocks.ts';
export { addressesAlone } from './place-embeds.ts';
export { plainText } from './plain-text.ts';
export { renderContent } from './render-content.ts';
export { renderExcerpt } from './render-excerpt.ts';
export { texturise } from './texturise.ts';
