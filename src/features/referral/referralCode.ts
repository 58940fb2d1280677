import { readPreference, savePreference } from '~/src/ui/preferences'

const STORAGE_KEY = 'kerbside.referral'
const PARAM = 'ref'

/** Returns the link that opens the site with this referral code. */
export const makeInviteLink = (code: string): string =>
  new URL(`/?${PARAM}=${encodeURIComponent(code)}`, window.location.origin).href

/** Returns a typed referral code in stored form: lower case, without surrounding spaces. */
export const normalizeReferralCode = (typed: string): string => typed.trim().toLowerCase()

/** Saves the referral code from the page's URL until the visitor signs up, possibly days later. */
export const saveReferralCode = (search: string): void => {
  const code = normalizeReferralCode(new URLSearchParams(search).get(PARAM) ?? '')
  if (/^[\p{L}\p{N}]{1,60}$/u.test(code)) savePreference(STORAGE_KEY, code)
}

/** Returns the saved referral code, or an empty string. */
export const loadReferralCode = (): string => readPreference(STORAGE_KEY) ?? ''

/** Removes the saved referral code. */
export const clearReferralCode = (): void => {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // A device without storage has nothing to forget.
  }
}
