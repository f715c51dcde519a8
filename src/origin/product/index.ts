export { productInterface } from './product-interface.ts';
export { productViews } from './product-views.ts';
