import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { mayOpenPage } from '~/domain/access/permissions'
import { screenPaths } from '~/src/store/screenPaths'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { isTyping } from '~/src/ui/navigation/isTyping'
import { confirmLeave } from '~/src/ui/navigation/unsavedChanges'
import { useDocumentKeys } from '~/src/ui/navigation/useDocumentKeys'
import { CommandPalette } from './CommandPalette'
import css from './layout.module.css'
import { MENU_ENTRIES } from './menu'
import type { UserType } from '~/domain/access/types'

/** The key after `g` and the page it opens. */
const GO_TO_KEYS = {
  o: screenPaths.board,
  d: screenPaths.dashboard,
  b: screenPaths.bookings,
  n: screenPaths.addBooking,
  r: screenPaths.riders,
  v: screenPaths.drivers,
} as const

const ShortcutList = ({ usertype, onClose }: { usertype: UserType; onClose: () => void }) => {
  const { t } = useTranslation()
  const boardKeys: [string, string][] = [
    ['↑ ↓', t('board_key_arrows')],
    ['Enter', t('board_key_enter')],
    ['Esc', t('board_key_escape')],
    ['m', t('board_key_mute')],
  ]
  const keys: [string, string][] = [
    ['Ctrl/⌘ K', t('palette')],
    ['?', t('shortcuts')],
    ['/', t('search')],
    ...(usertype === 'admin' ? [['c', t('incoming_calls')] as [string, string]] : []),
    ['Alt Page ↑', t('previous_record')],
    ['Alt Page ↓', t('next_record')],
    ...(mayOpenPage(screenPaths.board, usertype) ? boardKeys : []),
    ...Object.entries(GO_TO_KEYS)
      .filter(([, route]) => mayOpenPage(route, usertype))
      .map(([key, route]): [string, string] => [`g ${key}`, t(MENU_ENTRIES[route].label)]),
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

/**
 * Handles the shortcuts of the back office: a palette of pages, actions and records, page jumps,
 * and the list of shortcuts.
 */
export const KeyboardShortcuts = ({ usertype }: { usertype: UserType }) => {
  const navigate = useNavigate()
  const [open, setOpen] = useState<'palette' | 'sheet' | null>(null)
  const isGoing = useRef(false)
  useDocumentKeys((event) => {
    if (document.querySelector('dialog[open]')) return
    const key = event.key.toLowerCase()
    if ((event.ctrlKey || event.metaKey) && key === 'k') {
      event.preventDefault()
      setOpen('palette')
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const wasGoing = isGoing.current
    isGoing.current = key === 'g'
    if (key === '?') setOpen('sheet')
    else if (key === 'c')
      document.querySelector<HTMLElement>('[data-incoming-call] button')?.focus()
    else if (key === '/') {
      const search = document.querySelector<HTMLInputElement>('main input[type=search]')
      if (!search) return
      event.preventDefault()
      search.focus()
    } else if (wasGoing && key in GO_TO_KEYS) {
      const route = GO_TO_KEYS[key as keyof typeof GO_TO_KEYS]
      if (mayOpenPage(route, usertype)) confirmLeave(() => void navigate(route))
    }
  })
  const close = () => setOpen(null)
  if (open === 'palette') return <CommandPalette usertype={usertype} onClose={close} />
  return open === 'sheet' ? <ShortcutList usertype={usertype} onClose={close} /> : null
}
