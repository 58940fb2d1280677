import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserType } from '~/domain/entities'
import { fullName } from '~/domain/people'
import { type Listed, nameIn, people as livePeople, peopleLike } from '~/src/features/users/users'
import { useLive } from '~/src/store/liveSlice'
import { Button, TextInput } from '~/src/ui/controls'
import { contactShown } from '../contacts'
import { useOffice } from '../useOffice'
import css from './picker.module.css'

/** A part of a name is looked for among so many of the newest; its beginning, a number or an address among all. */
const SEARCHED = 30
const SHOWN = 8

/** Somebody by name, number or e-mail. */
export const UserPicker = ({
  label,
  usertypes,
  value,
  onChange,
  error,
}: {
  label: string
  usertypes: [UserType, ...UserType[]]
  value: Listed | null
  onChange: (user: Listed | null) => void
  /** Already translated. */
  error?: string | undefined
}) => {
  const { t } = useTranslation()
  const { settings } = useOffice()
  const listId = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [first, second = first] = usertypes
  const typed = text.trim()
  // Nobody is read before somebody is looked for.
  const size = typed === '' ? 0 : SEARCHED
  const { listed: a } = useLive(livePeople, { usertype: first, size })
  const { listed: b } = useLive(livePeople, { usertype: second, size })
  const number = /^\+?\d{3,}$/.test(typed)
  const name = nameIn(typed)
  const { found: byFirst } = useLive(peopleLike, { by: 'firstName', text: name })
  const { found: byLast } = useLive(peopleLike, { by: 'lastName', text: name })
  const { found: byContact } = useLive(peopleLike, {
    by: number ? 'mobile' : 'email',
    text: number ? (typed.startsWith('+') ? typed : `+${typed}`) : typed.includes('@') ? typed : '',
  })
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const all = new Map(
    [...a, ...b, ...byFirst, ...byLast, ...byContact].map((person) => [person.id, person]),
  )
  const found = [...all.values()]
    .filter(({ usertype }) => usertypes.includes(usertype))
    .filter((person) => {
      const shown = `${fullName(person)} ${person.mobile} ${person.email}`.toLocaleLowerCase()
      return words.every((word) => shown.includes(word))
    })
    .slice(0, SHOWN)
  const open = typed !== ''
  const choose = (person: Listed | undefined) => {
    if (!person) return
    onChange(person)
    setText('')
  }
  const line = (person: Listed) =>
    `${t(person.usertype)} · ${contactShown(person.mobile, settings, t)}`

  if (value)
    return (
      <div className={css.chosen}>
        <div>
          <span className={css.label}>{label}</span>
          <strong>{fullName(value)}</strong>
          <small>{line(value)}</small>
        </div>
        <Button size="small" onClick={() => onChange(null)}>
          {t('change')}
        </Button>
      </div>
    )
  return (
    <div className={css.picker}>
      <TextInput
        label={label}
        hint={t('user_picker_hint')}
        error={error}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-activedescendant={open && found[at] ? `${listId}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (!open) return
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
          else if (event.key === 'Enter') choose(found[at])
          else if (event.key === 'Escape') setText('')
          else return
          event.preventDefault()
        }}
      />
      {open && (
        <ul role="listbox" id={listId} aria-label={label} className={css.list}>
          {found.length === 0 && (
            <li role="option" aria-selected="false" aria-disabled="true">
              {t('no_matches')}
            </li>
          )}
          {found.map((person, index) => (
            <li
              key={person.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
            >
              <strong>{fullName(person)}</strong>
              <small>{line(person)}</small>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
