/** Path of the product interface below its base URL. */
export const PRODUCT_ROOT = 'api/partner/v1/';
