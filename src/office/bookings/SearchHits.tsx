import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { getBookingsPath } from '../people/personPaths'
import css from './bookings.module.css'
import { useSearchHits } from './useSearchHits'

/**
 * Shows links to the booking of a reference, to the bookings with a recipient's phone, and to all
 * bookings of a person. Searches all bookings by index, not only those in the table.
 */
export const SearchHits = ({ text, isAdmin }: { text: string; isAdmin: boolean }) => {
  const { t } = useTranslation()
  const { bookings, people } = useSearchHits(text, isAdmin)
  const links: [key: string, to: string, label: ReactNode][] = [
    ...bookings.map((one): [string, string, ReactNode] => [
      one,
      `${screenPaths.bookings}?open=${one}`,
      <>
        {t('booking')} <BookingReference id={one} />
      </>,
    ]),
    ...people.flatMap((person): [string, string, ReactNode][] => {
      const to = getBookingsPath(person)
      return to ? [[person.id, to, t('bookings_of', { name: formatFullName(person) })]] : []
    }),
  ]
  if (links.length === 0) return null
  return (
    <nav className={css.hits} aria-label={t('search_hits')}>
      <span>{t('search_hits')}</span>
      {links.map(([key, address, label]) => (
        <ButtonLink key={key} size="small" to={address}>
          {label}
        </ButtonLink>
      ))}
    </nav>
  )
}
