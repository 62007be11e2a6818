/** Addresses of calls that a page names without having the calls themselves at hand. */
export const COMPANY_ADDRESS = '/api/company';
export const OWN_PRODUCTS_ADDRESS = '/api/company/products';
