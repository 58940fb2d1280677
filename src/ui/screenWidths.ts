/** Media queries for the widths at which screens change. stylelint.config.mjs has the same. */
export const PHONE_QUERY = '(max-width: 39.99rem)'
export const DESKTOP_QUERY = '(min-width: 56.25rem)'
