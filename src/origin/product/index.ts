export { productInterface } from './product-interface.ts';
export { listProductViews } from './product-interface.ts';
