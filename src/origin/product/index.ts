export { productInterface } from './product-interface.ts';
export { productViews } from './product-interface.ts';
