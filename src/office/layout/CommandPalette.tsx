import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { parseReference } from '~/domain/booking/search/reference'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { liveBooking } from '~/src/features/bookings/bookings'
import type { DirectoryPerson } from '~/src/features/users/users'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Combobox } from '~/src/ui/combobox/Combobox'
import { chooseColorScheme } from '~/src/ui/theme/colorScheme'
import { useColorScheme } from '~/src/ui/theme/useColorScheme'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { confirmLeave } from '~/src/ui/navigation/unsavedChanges'
import { getAllowedActions } from '../bookings/allowedActions'
import { useSearchHits } from '../bookings/useSearchHits'
import { formatContact } from '../contactFormat'
import { getBookingsPath, getPersonPath } from '../people/personPaths'
import { useOfficeSession } from '../useOfficeSession'
import css from './layout.module.css'
import { getMenu, MENU_ENTRIES } from './menu'
import type { UserType } from '~/domain/access/types'
import type { Booking } from '~/domain/booking/types'

const MAX_COMMANDS = 8
/** Maximum number of bookings, and of people, in the list. */
const MAX_HITS = 5

type Hit = { kind: 'booking'; id: string } | { kind: 'person'; person: DirectoryPerson }
interface Command {
  key: string
  content: ReactNode
  run: () => void
  /** True for a command that opens another list of the palette. */
  staysOpen?: boolean
}

const BookingHit = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  const { booking } = useLive(liveBooking, id)
  return (
    <>
      <strong>
        {t('booking')} <BookingReference id={id} />
      </strong>
      {booking && (
        <small>
          {t(`status_${booking.status}`)} · {booking.customer_name}
        </small>
      )}
    </>
  )
}

const PersonHit = ({ person }: { person: DirectoryPerson }) => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const contact = formatContact(person.mobile || person.email, settings, t)
  return (
    <>
      <strong>{formatFullName(person)}</strong>
      <small>
        {t(person.usertype)}
        {contact && (
          <>
            {' '}
            · <bdi dir="ltr">{contact}</bdi>
          </>
        )}
        {person.vehicleNumber && ` · ${person.vehicleNumber}`}
      </small>
    </>
  )
}

/** Returns what makes a command that leaves for another page. */
const useLinkCommand = () => {
  const navigate = useNavigate()
  return (label: string, to: string): Command => ({
    key: to,
    content: label,
    run: () => confirmLeave(() => void navigate(to)),
  })
}

const filterByText = (commands: Command[], text: string) =>
  commands.filter(({ content }) =>
    (typeof content === 'string' ? content : '')
      .toLocaleLowerCase()
      .includes(text.toLocaleLowerCase()),
  )

const BOOKING_COMMANDS = [
  { action: 'assign', permission: 'booking_assign', label: 'assign_driver' },
  { action: 'release', permission: 'booking_release', label: 'release_booking' },
  { action: 'step', permission: 'booking_step', label: null },
  { action: 'no_show', permission: 'booking_no_show', label: 'no_show_booking' },
  { action: 'cancel', permission: 'booking_cancel', label: 'cancel_booking' },
] as const

/** Returns the commands of a chosen booking or person. */
const useHitCommands = () => {
  const { t } = useTranslation()
  const { profile, settings, can } = useOfficeSession()
  const toLink = useLinkCommand()
  const forBooking = (booking: Booking): Command[] => {
    const allowed = getAllowedActions(booking, profile, settings)
    return [
      toLink(t('open_booking'), `${screenPaths.bookings}?open=${booking.id}`),
      ...BOOKING_COMMANDS.filter(
        ({ action, permission }) => allowed[action] && can(permission),
      ).map(({ action, label }) =>
        toLink(
          t(label ?? `step_${allowed.step}`),
          `${screenPaths.bookings}?do=${action}~${booking.id}`,
        ),
      ),
    ]
  }
  const forPerson = (person: DirectoryPerson): Command[] => {
    const bookings = getBookingsPath(person)
    return [
      toLink(t('open'), getPersonPath(person)),
      ...(bookings
        ? [
            toLink(t('wallet'), getPersonPath(person, 'wallet')),
            toLink(t('bookings_of', { name: formatFullName(person) }), bookings),
          ]
        : []),
    ]
  }
  return { forBooking, forPerson }
}

/** Returns the pages and actions that match a text. */
const usePageCommands = (usertype: UserType) => {
  const { t } = useTranslation()
  const toLink = useLinkCommand()
  const other = useColorScheme() === 'dark' ? 'light' : 'dark'
  return (text: string): Command[] =>
    filterByText(
      [
        ...getMenu(usertype).map((path) => toLink(t(MENU_ENTRIES[path].label), path)),
        {
          key: 'scheme',
          content: t(other === 'dark' ? 'dark_mode' : 'light_mode'),
          run: () => chooseColorScheme(other),
        },
      ],
      text,
    ).slice(0, MAX_COMMANDS)
}

/** Returns the commands of the palette, and whether a search or the chosen booking has come. */
const usePalette = (usertype: UserType) => {
  const { t } = useTranslation()
  const { isAdmin } = useOfficeSession()
  const [text, setText] = useState('')
  const [chosenHit, setChosenHit] = useState<Hit | null>(null)
  const typed = text.trim()
  const hits = useSearchHits(chosenHit ? '' : typed, isAdmin)
  const { booking, ...bookingQuery } = useLive(
    liveBooking,
    chosenHit?.kind === 'booking' ? chosenHit.id : '',
  )
  const toLink = useLinkCommand()
  const hitCommands = useHitCommands()
  const getPageCommands = usePageCommands(usertype)
  const choose = (hit: Hit | null) => {
    setText('')
    setChosenHit(hit)
  }
  const toChoice = (key: string, content: ReactNode, hit: Hit): Command => ({
    key,
    content,
    run: () => choose(hit),
    staysOpen: true,
  })
  const getHitCommands = (hit: Hit): Command[] => {
    if (hit.kind === 'person') return hitCommands.forPerson(hit.person)
    return booking ? hitCommands.forBooking(booking) : []
  }
  const getCommands = (): Command[] => {
    if (chosenHit)
      return [
        ...filterByText(getHitCommands(chosenHit), typed),
        { key: 'back', content: t('back'), run: () => choose(null), staysOpen: true },
      ]
    const search = `${screenPaths.bookings}?q=${encodeURIComponent(typed)}`
    return [
      ...getPageCommands(typed),
      ...hits.bookings
        .slice(0, MAX_HITS)
        .map((id) => toChoice(`booking ${id}`, <BookingHit id={id} />, { kind: 'booking', id })),
      ...hits.people.slice(0, MAX_HITS).map((person) =>
        toChoice(`person ${person.id}`, <PersonHit person={person} />, {
          kind: 'person',
          person,
        }),
      ),
      ...(typed ? [toLink(t('palette_search', { text: typed }), search)] : []),
    ]
  }
  // Fleet admins search by reference only, so other text was not searched for them.
  const isSearched = isAdmin ? typed !== '' : parseReference(typed) !== null
  const isEmpty = chosenHit
    ? chosenHit.kind === 'booking' && !booking
    : isSearched && hits.bookings.length + hits.people.length === 0
  const query = chosenHit ? bookingQuery : hits
  return { text, setText, chosenHit, choose, booking, query, isEmpty, commands: getCommands() }
}

/** Finds pages, actions, people and bookings; choosing a person or a booking offers its actions. */
export const CommandPalette = ({
  usertype,
  onClose,
}: {
  usertype: UserType
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { text, setText, chosenHit, choose, booking, query, isEmpty, commands } =
    usePalette(usertype)
  const options = commands.map(({ key, content, run, staysOpen }) => ({
    key,
    content,
    choose: () => {
      if (!staysOpen) onClose()
      run()
    },
  }))
  const getName = (hit: Hit) =>
    hit.kind === 'person'
      ? formatFullName(hit.person)
      : `${t('booking')} ${booking?.reference ?? '…'}`
  const title = chosenHit ? t('palette_actions', { name: getName(chosenHit) }) : t('palette')
  const getStatus = () => {
    if (query.loading) return t('loading')
    if (query.error.flag) return ''
    if (isEmpty) return t(chosenHit ? 'not_found' : 'palette_nothing')
    return chosenHit ? title : ''
  }
  const status = getStatus()
  return (
    <Dialog title={title} onClose={onClose}>
      <Combobox
        data-first
        label={<span className="visually-hidden">{t('search')}</span>}
        value={text}
        options={options}
        listLabel={title}
        listClass={css.commands}
        onType={setText}
        {...(chosenHit && { onClose: () => choose(null) })}
      />
      <p role="status" className={status === title ? 'visually-hidden' : css.paletteStatus}>
        {status}
      </p>
      {query.error.flag && (
        <ErrorState onRetry={query.retry}>
          {t(query.error.msg ?? '', query.error.params ?? {})}
        </ErrorState>
      )}
    </Dialog>
  )
}
