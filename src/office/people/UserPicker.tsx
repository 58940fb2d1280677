import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { useDirectory, useDirectoryMatches } from '~/src/features/users/directory'
import { type DirectoryPerson, toNamePrefix } from '~/src/features/users/users'
import { Combobox } from '~/src/ui/combobox/Combobox'
import { Button } from '~/src/ui/controls'
import { formatContact } from '../contactFormat'
import { useOfficeSession } from '../useOfficeSession'
import { isPhoneMatch, usePhoneMatches, usePhoneSearch } from './phoneSearch'
import css from './UserPicker.module.css'
import type { UserType } from '~/domain/access/types'

/**
 * Number of newest people searched for part of a name; the start of a name, a number or an address
 * is searched among all.
 */
const MAX_SEARCHED = 30
const MAX_SHOWN = 8

/** The parts of a person that the picker shows. */
export type PickedPerson = Pick<
  DirectoryPerson,
  'id' | 'usertype' | 'firstName' | 'lastName' | 'mobile'
>

/** Returns the people who match the typed text; `newNumber` is a complete number without owner. */
const usePeopleSearch = (text: string, usertypes: [UserType, ...UserType[]]) => {
  const [first, second = first] = usertypes
  const typed = text.trim()
  // Reads no users until a search is typed.
  const size = typed === '' ? 0 : MAX_SEARCHED
  const { entries: a } = useDirectory({ usertype: first, size })
  const { entries: b } = useDirectory({ usertype: second, size })
  const phone = usePhoneSearch(typed)
  const byPhone = usePhoneMatches(phone)
  const full = phone?.full ?? ''
  const name = toNamePrefix(typed)
  const { found: byFirst } = useDirectoryMatches({ by: 'firstName', text: name })
  const { found: byLast } = useDirectoryMatches({ by: 'lastName', text: name })
  const { found: byEmail } = useDirectoryMatches({
    by: 'email',
    text: typed.includes('@') ? typed : '',
  })
  const isSearching = phone !== null && byPhone.queries.some(({ loading }) => loading)
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const all = new Map(
    [...a, ...b, ...byFirst, ...byLast, ...byEmail, ...byPhone.found].map((person) => [
      person.id,
      person,
    ]),
  )
  const people = [...all.values()]
    .filter(({ usertype }) => usertypes.includes(usertype))
    .filter((person) => {
      if (phone) return isPhoneMatch(person.mobile, phone)
      const personText =
        `${formatFullName(person)} ${person.mobile} ${person.email}`.toLocaleLowerCase()
      return words.every((word) => personText.includes(word))
    })
    .slice(0, MAX_SHOWN)
  const isNew = full !== '' && !isSearching && !people.some(({ mobile }) => mobile === full)
  return { people, typed, isSearching, newNumber: isNew ? full : null }
}

/** Shows the chosen person, and lets the user choose another one. */
const ChosenPerson = ({
  label,
  person,
  line,
  error,
  onChange,
}: {
  label: string
  person: PickedPerson
  line: string
  error: string | undefined
  onChange: () => void
}) => {
  const { t } = useTranslation()
  return (
    <div className={css.chosen}>
      <div>
        <span className={css.label}>{label}</span>
        <strong>{formatFullName(person)}</strong>
        <small>{line}</small>
        {error && (
          <small className={css.problem} role="alert">
            {error}
          </small>
        )}
      </div>
      <Button size="small" onClick={onChange}>
        {t('change')}
      </Button>
    </div>
  )
}

interface Props {
  label: string
  required?: boolean
  usertypes: [UserType, ...UserType[]]
  value: PickedPerson | null
  onChange: (user: DirectoryPerson | null) => void
  /** Offers a complete phone number without an owner; called when it is chosen. */
  onNewNumber?: (mobile: string) => void
  /** The translated error text. */
  error?: string | undefined
}

/** Finds a person by name, number or email. */
export const UserPicker = ({
  label,
  required = false,
  usertypes,
  value,
  onChange,
  onNewNumber,
  error,
}: Props) => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const [text, setText] = useState('')
  const { people, typed, isSearching, newNumber } = usePeopleSearch(text, usertypes)
  const line = (person: PickedPerson) =>
    `${t(person.usertype)} · ${formatContact(person.mobile, settings, t)}`

  if (value)
    return (
      <ChosenPerson
        label={label}
        person={value}
        line={line(value)}
        error={error}
        onChange={() => onChange(null)}
      />
    )
  const options = people.map((person) => ({
    key: person.id,
    content: (
      <>
        <strong>{formatFullName(person)}</strong>
        <small>{line(person)}</small>
      </>
    ),
    choose: () => {
      onChange(person)
      setText('')
    },
  }))
  const newOptions =
    onNewNumber && newNumber !== null
      ? [
          {
            key: newNumber,
            content: <strong>{t('new_caller_number', { number: newNumber })}</strong>,
            choose: () => {
              onNewNumber(newNumber)
              setText('')
            },
          },
        ]
      : []
  return (
    <Combobox
      required={required}
      label={label}
      hint={t('user_picker_hint')}
      error={error}
      value={text}
      options={typed === '' ? null : [...options, ...newOptions]}
      isSearching={isSearching}
      listLabel={label}
      onType={setText}
      onClose={() => setText('')}
    />
  )
}
