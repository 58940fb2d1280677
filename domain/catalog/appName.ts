/** The product's name until the office changes it, and until the settings are loaded. */
export const DEFAULT_APP_NAME = 'Kerbside'
