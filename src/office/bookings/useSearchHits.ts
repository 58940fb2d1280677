import { parseReference } from '~/domain/booking/search/reference'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { bookingOfReference } from '~/src/features/bookings/bookings'
import { bookingsToPhone } from '~/src/features/bookings/bookingContacts'
import { useDirectoryMatches, useListedPeople } from '~/src/features/users/directory'
import { type DirectoryPerson, toNamePrefix } from '~/src/features/users/users'
import { NO_ERROR, type SliceError } from '~/src/store/auth'
import { useContactsHidden } from '~/src/store/demoMode'
import { useLive } from '~/src/store/live/liveSlice'
import {
  getTypedForms,
  type PhoneSearch,
  usePhoneMatches,
  usePhoneSearch,
} from '../people/phoneSearch'

/** Shorter digits may also be a plate. */
const MIN_PHONE_LENGTH = 5

interface SearchHits {
  /** IDs of the bookings with this reference or with this recipient's phone. */
  bookings: string[]
  people: DirectoryPerson[]
  /** True until every query has a result. */
  loading: boolean
  error: SliceError
  /** Runs the failed queries again. */
  retry: () => void
}

/** Returns the queries for bookings whose recipient has the searched number in any typed form. */
const useBookingsToPhone = (text: string, search: PhoneSearch | null) => {
  const canSearch = useContactsHidden() === false
  const forms = search && canSearch ? getTypedForms(text, search) : []
  return [
    useLive(bookingsToPhone, forms[0] ?? ''),
    useLive(bookingsToPhone, forms[1] ?? ''),
    useLive(bookingsToPhone, forms[2] ?? ''),
    useLive(bookingsToPhone, forms[3] ?? ''),
    useLive(bookingsToPhone, forms[4] ?? ''),
  ]
}

/**
 * Finds the booking of a reference, the bookings with a recipient's phone, and the people whose
 * name, phone, e-mail or plate begins with the text. Searches all records by index; each read is
 * bounded. Fleet admins find only bookings by reference.
 */
export const useSearchHits = (text: string, isAdmin: boolean): SearchHits => {
  const searched = isAdmin ? text : ''
  const phone = usePhoneSearch(searched)
  const isPhone = phone !== null && searched.length >= MIN_PHONE_LENGTH
  const name = isPhone ? '' : toNamePrefix(searched)
  const reference = useLive(bookingOfReference, parseReference(text))
  const toPhone = useBookingsToPhone(searched, phone)
  const byFirstName = useDirectoryMatches({ by: 'firstName', text: name })
  const byLastName = useDirectoryMatches({ by: 'lastName', text: name })
  const byPhone = usePhoneMatches(phone)
  const byEmail = useDirectoryMatches({
    by: 'email',
    text: text.includes('@') ? searched : '',
  })
  const plate = /\d/.test(text) && !isPhone ? searched.toUpperCase() : ''
  const byPlate = useDirectoryMatches({ by: 'vehicleNumber', text: plate })
  // Most plates are stored with a space between letters and digits.
  const spaced = plate.replace(/^([A-Z]+)(?=\d)/, '$1 ')
  const bySpacedPlate = useDirectoryMatches({
    by: 'vehicleNumber',
    text: spaced === plate ? '' : spaced,
  })
  const words = text.toLocaleLowerCase().split(/\s+/)
  const named = [...byFirstName.found, ...byLastName.found].filter((person) =>
    words.every((word) => formatFullName(person).toLocaleLowerCase().includes(word)),
  )
  // In demo mode no phone and no e-mail address finds a person.
  const isDemo = useContactsHidden() === true
  const { people: everyone, ...listing } = useListedPeople(undefined, isDemo && searched !== '')
  const matchingPeople = everyone.filter((person) => {
    const text = `${formatFullName(person)} ${person.vehicleNumber ?? ''}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
  const people = [
    ...named,
    ...matchingPeople,
    ...byPhone.found,
    ...byEmail.found,
    ...byPlate.found,
    ...bySpacedPlate.found,
  ]
  const queries = [
    ...[reference, listing, ...toPhone, byFirstName, byLastName, byEmail, byPlate, bySpacedPlate],
    ...byPhone.queries,
  ]
  // The rules refuse a fleet admin every reference that is not theirs, whether it exists or not.
  const failed = queries.filter(
    ({ error }) => error.flag && (isAdmin || error.msg !== 'not_allowed'),
  )
  return {
    bookings: [
      ...new Set([
        ...(reference.id ? [reference.id] : []),
        ...toPhone.flatMap(({ to }) => to.map(({ id }) => id)),
      ]),
    ],
    people: [...new Map(people.map((person) => [person.id, person])).values()],
    loading: queries.some(({ loading }) => loading),
    error: failed[0]?.error ?? NO_ERROR,
    retry: () => failed.forEach(({ retry }) => retry()),
  }
}
