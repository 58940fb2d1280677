import type { FirebaseApp } from 'firebase/app'
import { initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check'

/**
 * Sends a token of reCAPTCHA Enterprise with every request of the Firebase services.
 *
 * @public app.ts loads it on demand.
 */
export const startAppCheck = (app: FirebaseApp, siteKey: string): void => {
  initializeAppCheck(app, {
    provider: new ReCaptchaEnterpriseProvider(siteKey),
    isTokenAutoRefreshEnabled: true,
  })
}
