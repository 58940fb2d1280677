import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { UserType } from '~/domain/entities'
import { mayOpen, menuFor } from '~/domain/permissions'
import { screens } from '~/src/store/screens'
import { Combobox } from '~/src/ui/Combobox'
import { Dialog } from '~/src/ui/Dialog'
import { chooseScheme, useScheme } from '~/src/ui/scheme'
import { leaving } from '~/src/ui/unsaved'
import css from './frame.module.css'
import { LOOKS } from './menu'

const SHOWN = 8
/** The letter after `g`, and where it leads. */
const GOES = {
  d: screens.dashboard,
  b: screens.bookings,
  n: screens.addBooking,
  r: screens.riders,
  v: screens.drivers,
} as const

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

const Commands = ({ usertype, onClose }: { usertype: UserType; onClose: () => void }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const other = useScheme() === 'dark' ? 'light' : 'dark'
  const [text, setText] = useState('')
  const typed = text.trim()
  const pages = menuFor(usertype).map(({ route }) => ({
    label: t(LOOKS[route].label),
    run: () => leaving(() => void navigate(route)),
  }))
  const commands = [
    ...pages,
    {
      label: t(other === 'dark' ? 'dark_mode' : 'light_mode'),
      run: () => chooseScheme(other),
    },
  ].filter(({ label }) => label.toLocaleLowerCase().includes(typed.toLocaleLowerCase()))
  const found = [
    ...commands.slice(0, SHOWN),
    ...(typed
      ? [
          {
            label: t('palette_search', { text: typed }),
            run: () =>
              leaving(() => void navigate(`${screens.bookings}?q=${encodeURIComponent(typed)}`)),
          },
        ]
      : []),
  ]
  const options = found.map(({ label, run }) => ({
    key: label,
    shown: label,
    choose: () => {
      onClose()
      run()
    },
  }))
  return (
    <Dialog title={t('palette')} onClose={onClose}>
      <Combobox
        data-first
        label={<span className="visually-hidden">{t('search')}</span>}
        value={text}
        options={options}
        listLabel={t('palette')}
        listClass={css.commands}
        onType={setText}
      />
    </Dialog>
  )
}

const Sheet = ({ usertype, onClose }: { usertype: UserType; onClose: () => void }) => {
  const { t } = useTranslation()
  const keys: [string, string][] = [
    ['Ctrl/⌘ K', t('palette')],
    ['?', t('shortcuts')],
    ['/', t('search')],
    ...Object.entries(GOES)
      .filter(([, route]) => mayOpen(route, usertype))
      .map(([key, route]): [string, string] => [`g ${key}`, t(LOOKS[route].label)]),
  ]
  return (
    <Dialog title={t('shortcuts')} onClose={onClose}>
      <dl className={css.keys}>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Keys of the whole office: a palette of pages and deeds, jumps, and the sheet that tells them. */
export const Shortcuts = ({ usertype }: { usertype: UserType }) => {
  const navigate = useNavigate()
  const [open, setOpen] = useState<'palette' | 'sheet' | null>(null)
  useEffect(() => {
    let isGoing = false
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]')) return
      const key = event.key.toLowerCase()
      if ((event.ctrlKey || event.metaKey) && key === 'k') {
        event.preventDefault()
        setOpen('palette')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const going = isGoing
      isGoing = key === 'g'
      if (key === '?') setOpen('sheet')
      else if (key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type=search]')
        if (!search) return
        event.preventDefault()
        search.focus()
      } else if (going && key in GOES) {
        const route = GOES[key as keyof typeof GOES]
        if (mayOpen(route, usertype)) leaving(() => void navigate(route))
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, usertype])
  const close = () => setOpen(null)
  if (open === 'palette') return <Commands usertype={usertype} onClose={close} />
  return open === 'sheet' ? <Sheet usertype={usertype} onClose={close} /> : null
}
