import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxEntry } from '~/domain/entities'
import { selectUid } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { IconButton } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { DateTime, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { Link } from '~/src/ui/place'
import { inbox, markRead } from './inbox'
import css from './Inbox.module.css'
import { showOutside } from './permission'
import { screenOf, wordsOf } from './words'

type Entry = InboxEntry & { id: string }

/** Requests and messages stand on their own screens: nobody who looks at one is told of it beside it. */
const isBeforeHisEyes = ({ screen }: Entry, to: string): boolean =>
  (screen === 'DriverTrips' || screen === 'onlineChat') && window.location.pathname === to

/** Each push that comes while the page is open becomes a toast, and a notification of the device when it is hidden. */
const useToasts = (entries: Entry[], loading: boolean) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const known = useRef<Set<string> | null>(null)
  const say = useEffectEvent((entry: Entry) => {
    const { title, msg } = wordsOf(entry, t, format)
    const to = screenOf(entry)
    if (!isBeforeHisEyes(entry, to))
      dispatch(noticeRaised({ tone: 'news', text: msg, isWords: true, to }))
    void showOutside(title, msg, to)
  })
  useEffect(() => {
    if (loading) return
    const before = known.current
    known.current = new Set(entries.map(({ id }) => id))
    // What was there when the page came is in the list, not news.
    if (!before) return
    for (const entry of entries) if (!before.has(entry.id) && !entry.read) say(entry)
  }, [entries, loading])
}

const InboxDialog = ({ entries, onClose }: { entries: Entry[]; onClose: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Dialog title={t('inbox')} onClose={onClose}>
      {entries.length === 0 ? (
        <p>{t('inbox_empty')}</p>
      ) : (
        <ol role="list" className={css.list}>
          {entries.map((entry) => {
            const { title, msg } = wordsOf(entry, t, format)
            return (
              <li key={entry.id}>
                <Link to={screenOf(entry)} data-new={!entry.read || undefined} onClick={onClose}>
                  <strong>{title}</strong>
                  <span>{msg}</span>
                  <small>
                    <DateTime at={entry.at} />
                  </small>
                </Link>
              </li>
            )
          })}
        </ol>
      )}
    </Dialog>
  )
}

/** The pushes of whoever is signed in: how many are new, and all of them when asked. */
export const InboxBell = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const uid = useAppSelector(selectUid)
  const { entries, loading } = useLive(inbox)
  const [shown, setShown] = useState<Entry[] | null>(null)
  useToasts(entries, loading)
  const fresh = entries.filter(({ read }) => !read)
  const open = () => {
    // As they are now: those that are new stay marked while they are being read.
    setShown(entries)
    if (uid && fresh.length > 0) void dispatch(markRead({ uid, ids: fresh.map(({ id }) => id) }))
  }
  return (
    <>
      <IconButton
        label={fresh.length > 0 ? t('inbox_new', { count: fresh.length }) : t('inbox')}
        aria-haspopup="dialog"
        onClick={open}
      >
        <span className={css.bell}>
          <Icon name="bell" />
          {fresh.length > 0 && (
            <span className={css.count} data-count={Math.min(fresh.length, 99)} />
          )}
        </span>
      </IconButton>
      {shown && <InboxDialog entries={shown} onClose={() => setShown(null)} />}
    </>
  )
}
