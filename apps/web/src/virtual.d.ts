/** Modules that the build makes: see `vite.config.ts`. */
declare module 'virtual:letter-index' {
  /** The address of the index of the letters of all bundled fonts. */
  const url: string;
  export default url;
}
declare module 'virtual:icon-library' {
  /** The start of the addresses of the library of icons: `index.json` follows, or a slice such as `0.json`. */
  const start: string;
  export default start;
}
