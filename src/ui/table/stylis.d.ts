declare module 'stylis' {
  import type { StylisPlugin } from '@emotion/cache'

  /** Adds vendor prefixes; emotion leaves it out as soon as it is given plugins of ours. */
  export const prefixer: StylisPlugin
}
