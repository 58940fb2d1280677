import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserType } from '~/domain/entities'
import { fullName } from '~/domain/people'
import { type Listed, nameIn, people as livePeople, peopleLike } from '~/src/features/users/users'
import { useLive } from '~/src/store/liveSlice'
import { Combobox } from '~/src/ui/Combobox'
import { Button } from '~/src/ui/controls'
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
  const [text, setText] = useState('')
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
  const options = found.map((person) => ({
    key: person.id,
    shown: (
      <>
        <strong>{fullName(person)}</strong>
        <small>{line(person)}</small>
      </>
    ),
    choose: () => {
      onChange(person)
      setText('')
    },
  }))
  return (
    <Combobox
      label={label}
      hint={t('user_picker_hint')}
      error={error}
      value={text}
      options={typed === '' ? null : options}
      listLabel={label}
      onType={setText}
      onClose={() => setText('')}
    />
  )
}
