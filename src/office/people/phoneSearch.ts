import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { useMemo } from 'react'
import { normalizeMobile } from '~/domain/accounts/userAccounts'
import { homeCountry } from '~/src/features/settings/countries'
import { useDirectoryMatches } from '~/src/features/users/directory'
import { useOfficeSession } from '../useOfficeSession'
import type { Settings } from '~/domain/catalog/types'

/** The stored numbers that a typed one can mean. */
export interface PhoneSearch {
  /** The beginning of an international number, as typed. */
  start: string
  /** The complete number, with the platform's country when none was typed; null until complete. */
  full: string | null
}

const PHONE = /^\+?\(?\d[\d\s()-]{2,}$/

/**
 * Reads a text as a phone number: as an international one that may be incomplete, and, when it has
 * no country code, as one of the platform's country. Returns null for another text.
 */
const parsePhoneSearch = (text: string, settings: Settings | null): PhoneSearch | null => {
  const typed = text.trim()
  if (!PHONE.test(typed)) return null
  const parsed = parsePhoneNumberFromString(typed, homeCountry(settings))
  const full = parsed?.isPossible() ? normalizeMobile(parsed.number) : null
  return { start: `+${typed.replace(/\D/g, '')}`, full }
}

export const isPhoneMatch = (mobile: string, { start, full }: PhoneSearch): boolean =>
  mobile.startsWith(start) || mobile === full

/** Returns a number as people of its country write it, with and without spaces. */
export const toNationalForms = (mobile: string): string => {
  const national = parsePhoneNumberFromString(mobile)?.formatNational() ?? ''
  return `${national} ${national.replace(/\D/g, '')}`
}

/**
 * Returns the ways in which a sender may have typed the searched number: as searched, and as an
 * international and a national number with and without spaces.
 */
export const getTypedForms = (text: string, { full }: PhoneSearch): string[] => {
  const number = full === null ? undefined : parsePhoneNumberFromString(full)
  if (!number) return [text]
  const national = number.formatNational()
  const forms = [
    ...[text, number.number, number.formatInternational()],
    ...[national, national.replace(/\D/g, '')],
  ]
  return [...new Set(forms)]
}

/** Returns the people whose mobile number begins with the search; none without one. */
export const usePhoneMatches = (search: PhoneSearch | null) => {
  const { start = '', full = null } = search ?? {}
  const byStart = useDirectoryMatches({ by: 'mobile', text: start })
  const byFull = useDirectoryMatches({
    by: 'mobile',
    text: full === start ? '' : (full ?? ''),
  })
  const matches = useMemo(() => [...byStart.found, ...byFull.found], [byStart.found, byFull.found])
  return { queries: [byStart, byFull], found: matches }
}

/** Returns the phone numbers that the text can mean on this platform, or null. */
export const usePhoneSearch = (text: string): PhoneSearch | null => {
  const { settings } = useOfficeSession()
  return useMemo(() => parsePhoneSearch(text, settings), [text, settings])
}
