/** Options of the site, as `sortiment()` got them. Functions are left out. */
declare module 'virtual:sortiment/options' {
  const options: import('#config/index.ts').Options;
  export default options;
  /** Size of the logo in CSS pixels. Undefined without a logo. */
  export const logoSize: { width: number; height: number } | undefined;
}
