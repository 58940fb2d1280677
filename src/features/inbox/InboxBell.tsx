import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { selectUid } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { registerPushDevice } from '~/src/store/pushRegistration'
import { noticeRaised } from '~/src/store/notices'
import { IconButton } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { Icon } from '~/src/ui/Icon'
import { Link } from '~/src/ui/navigation/router'
import { liveInbox, markRead } from './inbox'
import { useInboxTexts } from './inboxTexts'
import { translateReason } from '~/src/i18n/reasonTexts'
import css from './Inbox.module.css'
import { showDeviceNotification, useNotificationState } from './deviceNotifications'
import { type CatalogNames, type GetCatalogName, getPushPath, translatePush } from './pushTexts'
import { useWorkerTexts } from './pushTextsForWorker'
import type { InboxEntry } from '~/domain/messages/types'

type InboxItem = InboxEntry & { id: string }

/**
 * Returns true when the current page already shows the request or message, so that no toast repeats
 * it.
 */
const isAlreadyVisible = ({ screen }: InboxItem, to: string): boolean =>
  (screen === 'DriverTrips' || screen === 'onlineChat') && window.location.pathname === to

/**
 * Shows each push that arrives while the page is open as a toast, or as a device notification while
 * the page is hidden.
 */
const usePushToasts = (entries: InboxItem[], loading: boolean, getName: GetCatalogName) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const knownIds = useRef<Set<string> | null>(null)
  const notify = useEffectEvent((entry: InboxItem) => {
    const { title, msg } = translatePush(entry, t, format, getName)
    const to = getPushPath(entry)
    if (!isAlreadyVisible(entry, to)) dispatch(noticeRaised({ tone: 'news', title, text: msg, to }))
    void showDeviceNotification(title, msg, to)
  })
  useEffect(() => {
    if (loading) return
    const before = knownIds.current
    knownIds.current = new Set(entries.map(({ id }) => id))
    // Entries that existed at page load are not new.
    if (!before) return
    for (const entry of entries) if (!before.has(entry.id) && !entry.read) notify(entry)
  }, [entries, loading])
}

const InboxDialog = ({
  entries,
  getName,
  onClose,
}: {
  entries: InboxItem[]
  getName: GetCatalogName
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Dialog title={t('inbox')} onClose={onClose}>
      {entries.length === 0 ? (
        <p>{t('inbox_empty')}</p>
      ) : (
        <ol role="list" className={css.list}>
          {entries.map((entry) => {
            const { title, msg } = translatePush(entry, t, format, getName)
            return (
              <li key={entry.id}>
                <Link to={getPushPath(entry)} data-new={!entry.read || undefined} onClick={onClose}>
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

/** Shows the number of new pushes of the signed-in user, and opens the list of all. */
export const InboxBell = ({ names }: { names: CatalogNames }) => {
  useInboxTexts()
  const { t } = useTranslation()
  const getName: GetCatalogName = (param, stored) =>
    names[param].find(({ value }) => value === stored)?.text ??
    (param === 'reason' ? translateReason(stored, t) : stored)
  const dispatch = useAppDispatch()
  const uid = useAppSelector(selectUid)
  const { entries, loading } = useLive(liveInbox)
  const [shownEntries, setShownEntries] = useState<InboxItem[] | null>(null)
  usePushToasts(entries, loading, getName)
  const isOn = useNotificationState() === 'on'
  useWorkerTexts(isOn, names)
  useEffect(() => {
    if (uid && isOn) void dispatch(registerPushDevice(uid))
  }, [dispatch, uid, isOn])
  const unread = entries.filter(({ read }) => !read)
  const open = () => {
    // A snapshot, so that new entries stay marked while the user reads them.
    setShownEntries(entries)
    if (uid && unread.length > 0) void dispatch(markRead({ uid, ids: unread.map(({ id }) => id) }))
  }
  return (
    <>
      <IconButton
        label={unread.length > 0 ? t('inbox_new', { count: unread.length }) : t('inbox')}
        aria-haspopup="dialog"
        onClick={open}
      >
        <span className={css.bell}>
          <Icon name="bell" />
          {unread.length > 0 && (
            <span className={css.count} data-count={Math.min(unread.length, 99)} />
          )}
        </span>
      </IconButton>
      {shownEntries && (
        <InboxDialog
          entries={shownEntries}
          getName={getName}
          onClose={() => setShownEntries(null)}
        />
      )}
    </>
  )
}
