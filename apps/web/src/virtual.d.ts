/** Modules that the build makes: see `vite.config.ts`. */
declare module 'virtual:letter-index' {
  /** The address of the index of the letters of all bundled fonts. */
  const url: string;
  export default url;
}
